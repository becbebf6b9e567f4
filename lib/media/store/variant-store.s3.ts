import { dependency } from '#lib/config'
import type { VariantStore } from './variant-store.ts'

/** Variants in the media bucket, under `variants/` and, while they are public, under `public/` too. */
export const variantStore = dependency(['MEDIA_BUCKET'], ({ MEDIA_BUCKET }): VariantStore => {
  const objects = async () => (await import('./variant-objects.s3.ts')).variantObjects(MEDIA_BUCKET)
  return {
    put: async (...given) => (await objects()).put(...given),
    putStream: async (...given) => (await objects()).putStream(...given),
    published: async (...given) => (await objects()).published(...given),
    publish: async (...given) => (await objects()).publish(...given),
    withdraw: async (...given) => (await objects()).withdraw(...given),
    removeAll: async (...given) => (await objects()).removeAll(...given),
  }
})
