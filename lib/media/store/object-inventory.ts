import type { ObjectName } from './object-names.ts'

/** An object of the media bucket, and when it was last written. */
export type StoredObject = { name: ObjectName; modifiedAt: Date }

/** All there is in the media bucket. Objects that are none of ours are not told of, and never touched. */
export type ObjectInventory = {
  pages: () => AsyncIterable<StoredObject[]>
  remove: (names: readonly ObjectName[]) => Promise<void>
}
