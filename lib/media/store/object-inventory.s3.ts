import { inBuckets } from '#lib/objects/buckets'
import { originalKey, publicKey, variantKey } from './media.keys.ts'
import { deleteObjects, listObjects } from './media-bucket.s3.ts'
import type { ObjectInventory } from './object-inventory.ts'
import { type ObjectName, readObjectName } from './object-names.ts'

/** The media bucket in the order of its keys: the objects of a listing follow each other. */
export const objectInventory = inBuckets(
  ['MEDIA_BUCKET'],
  ({ MEDIA_BUCKET }): ObjectInventory => ({
    pages: async function* (after) {
      for await (const page of listObjects(MEDIA_BUCKET, '', after)) {
        const items = page.flatMap(({ key, modifiedAt }) => {
          const name = readObjectName(key)
          return name ? [{ name, modifiedAt }] : []
        })
        const last = page.at(-1)?.key
        if (last !== undefined) yield { items, last }
      }
    },
    remove: (names) => deleteObjects(MEDIA_BUCKET, names.map(keyOf)),
  }),
  {
    'originals/': ['list', 'remove'],
    'variants/': ['list', 'remove'],
    'public/': ['list', 'remove'],
    // The pages list the whole bucket, the search's snapshots too.
    'search/': ['list'],
  },
)

function keyOf({ kind, name }: ObjectName): string {
  if (kind === 'original') return originalKey(name)
  return kind === 'variant' ? variantKey(name) : publicKey(name)
}
