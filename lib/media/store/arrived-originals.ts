import type { OriginalName } from './media-links.ts'
import { readObjectName } from './object-names.ts'

/** As much of an S3 notification as counts: what it says of size and hash is not believed. */
type Notification = { Records: readonly { s3: { object: { key: string } } }[] }

/** Goes through the originals that a notification tells of, one after another: each may take all the memory. */
export async function arrivedOriginals<T>(
  { Records }: Notification,
  each: (name: OriginalName) => Promise<T>,
): Promise<T[]> {
  const results: T[] = []
  for (const { s3 } of Records) {
    const object = readObjectName(keyOf(s3.object.key))
    if (object?.kind === 'original') results.push(await each(object.name))
  }
  return results
}

/** Notifications spell a key as a form would: a space is a plus. */
const keyOf = (spelled: string): string => new URLSearchParams(`key=${spelled}`).get('key') ?? ''
