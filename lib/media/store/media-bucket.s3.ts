import { DeleteObjectsCommand, ListObjectsV2Command } from '@aws-sdk/client-s3'
import { s3 } from '#lib/objects/s3-client'

/** An object, and when it was last written. */
type Listed = { key: string; modifiedAt: Date }

/** Yields the objects under a prefix with keys after `startAfter`, in pages of up to a thousand, ordered by key. */
export async function* listObjects(
  Bucket: string,
  Prefix: string,
  startAfter?: string,
): AsyncGenerator<Listed[]> {
  let after = startAfter
  do {
    const { Contents = [], IsTruncated } = await s3().send(
      new ListObjectsV2Command({ Bucket, Prefix, ...(after && { StartAfter: after }) }),
    )
    const objects = Contents.flatMap(({ Key, LastModified }) =>
      Key && LastModified ? [{ key: Key, modifiedAt: LastModified }] : [],
    )
    yield objects
    after = IsTruncated ? objects.at(-1)?.key : undefined
  } while (after !== undefined)
}

const DELETIONS_MAX = 1000

/** Removes objects; an object that does not exist counts as removed. Throws when S3 could not remove one. */
export async function deleteObjects(Bucket: string, keys: readonly string[]): Promise<void> {
  for (let at = 0; at < keys.length; at += DELETIONS_MAX) {
    const Objects = keys.slice(at, at + DELETIONS_MAX).map((Key) => ({ Key }))
    const { Errors = [] } = await s3().send(
      new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }),
    )
    if (Errors.length > 0) throw new Error(`${Errors.length} objects were not deleted: ${Errors[0]?.Code}`)
  }
}
