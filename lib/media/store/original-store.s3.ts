import type { Config } from '#lib/config/config'
import { inBuckets } from '#lib/objects/buckets'
import type { OriginalStore } from './original-store.ts'

const open = ({ MEDIA_BUCKET }: Config<'MEDIA_BUCKET'>): OriginalStore => {
  // Imported at the first use: a request that is refused needs no client of S3.
  const objects = async () => (await import('./original-objects.s3.ts')).originalObjects(MEDIA_BUCKET)
  return {
    put: async (...given) => (await objects()).put(...given),
    presign: async (...given) => (await objects()).presign(...given),
    size: async (...given) => (await objects()).size(...given),
    read: async (...given) => (await objects()).read(...given),
    remove: async (...given) => (await objects()).remove(...given),
    announceAgain: async (...given) => (await objects()).announceAgain(...given),
  }
}

/** Originals in the media bucket, encrypted at rest, each checked by S3 against its SHA-256. */
export const originalStore = inBuckets(
  ['MEDIA_BUCKET'],
  (config): Omit<OriginalStore, 'remove'> => open(config),
  { 'originals/': ['get', 'put'] },
)

/** Reads originals that have arrived, and removes those that nothing names. */
export const arrivedOriginals = inBuckets(
  ['MEDIA_BUCKET'],
  (config): Pick<OriginalStore, 'size' | 'read' | 'remove'> => open(config),
  { 'originals/': ['get', 'remove'] },
)
