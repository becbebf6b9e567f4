import { dependency } from '#lib/config'
import type { OriginalStore } from './original-store.ts'

/** Originals in the media bucket, encrypted at rest, each checked by S3 against its SHA-256. */
export const originalStore = dependency(['MEDIA_BUCKET'], ({ MEDIA_BUCKET }): OriginalStore => {
  const objects = async () => (await import('./original-objects.s3.ts')).originalObjects(MEDIA_BUCKET)
  return {
    put: async (...given) => (await objects()).put(...given),
    presign: async (...given) => (await objects()).presign(...given),
    size: async (...given) => (await objects()).size(...given),
    read: async (...given) => (await objects()).read(...given),
    announceAgain: async (...given) => (await objects()).announceAgain(...given),
  }
})
