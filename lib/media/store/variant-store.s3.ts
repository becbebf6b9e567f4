import type { Config } from '#lib/config/config'
import { inBuckets } from '#lib/objects/buckets'
import type { VariantStore } from './variant-store.ts'

const open = ({ MEDIA_BUCKET }: Config<'MEDIA_BUCKET'>): VariantStore => {
  // Loads the S3 client with the first call.
  const objects = async () => (await import('./variant-objects.s3.ts')).variantObjects(MEDIA_BUCKET)
  return {
    put: async (...given) => (await objects()).put(...given),
    putStream: async (...given) => (await objects()).putStream(...given),
    published: async (...given) => (await objects()).published(...given),
    publish: async (...given) => (await objects()).publish(...given),
    withdraw: async (...given) => (await objects()).withdraw(...given),
    removeAll: async (...given) => (await objects()).removeAll(...given),
  }
}

/** Stores variants in the media bucket, under `variants/`. */
export const variantWriter = inBuckets(
  ['MEDIA_BUCKET'],
  (config): Pick<VariantStore, 'put' | 'putStream'> => open(config),
  { 'variants/': ['put'] },
)

/** Copies variants to `public/` while customers may see them. */
export const variantPublisher = inBuckets(
  ['MEDIA_BUCKET'],
  (config): Pick<VariantStore, 'published' | 'publish' | 'withdraw'> => open(config),
  { 'variants/': ['get'], 'public/': ['list', 'put', 'remove'] },
)

/** Removes the original and every variant of a media item. */
export const variantRemover = inBuckets(
  ['MEDIA_BUCKET'],
  (config): Pick<VariantStore, 'removeAll'> => open(config),
  { 'originals/': ['remove'], 'variants/': ['list', 'remove'], 'public/': ['list', 'remove'] },
)

/** Publishes variants and removes media items. */
export const publishedVariants = inBuckets(
  ['MEDIA_BUCKET'],
  (config): Omit<VariantStore, 'put' | 'putStream'> => open(config),
  {
    'originals/': ['remove'],
    'variants/': ['get', 'list', 'remove'],
    'public/': ['list', 'put', 'remove'],
  },
)
