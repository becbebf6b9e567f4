import type { ObjectName } from './object-names.ts'

/** An object of the media bucket, and when it was last written. */
export type StoredObject = { name: ObjectName; modifiedAt: Date }

/** One request's objects, and the key of the last of them. */
type ObjectPage = { items: StoredObject[]; last: string }

/** The objects of the media bucket. Objects with a key of another form are left out, and never removed. */
export type ObjectInventory = {
  /** All objects after a key, in the order of their keys. */
  pages: (after: string | undefined) => AsyncIterable<ObjectPage>
  remove: (names: readonly ObjectName[]) => Promise<void>
}
