import {
  DeleteObjectCommand,
  DeleteObjectsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from '@aws-sdk/client-s3'
import { s3 } from './s3-client.ts'

/** The bytes of a private object and their type. */
type PrivateContent = { content: Buffer; contentType: string }

/** Objects of a private bucket, encrypted at rest by S3. */
export const privateObjects = (Bucket: string) => ({
  put: async (Key: string, { content, contentType }: PrivateContent): Promise<void> => {
    await s3().send(
      new PutObjectCommand({
        Bucket,
        Key,
        Body: content,
        ContentType: contentType,
        // The bytes come from a stranger: a browser saves them and never shows them as a page.
        ContentDisposition: 'attachment',
        ServerSideEncryption: 'AES256',
      }),
    )
  },
  remove: async (Key: string): Promise<void> => {
    await s3().send(new DeleteObjectCommand({ Bucket, Key }))
  },
  removeAll: (prefix: string): Promise<void> => removePrefix(Bucket, prefix),
})

async function removePrefix(Bucket: string, Prefix: string): Promise<void> {
  for (let ContinuationToken: string | undefined; ; ) {
    const page = await s3().send(new ListObjectsV2Command({ Bucket, Prefix, ContinuationToken }))
    const Objects = (page.Contents ?? []).flatMap(({ Key }) => (Key === undefined ? [] : [{ Key }]))
    if (Objects.length > 0) {
      const { Errors = [] } = await s3().send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }))
      if (Errors.length > 0) throw new Error(`S3 kept ${Errors.length} objects: ${Errors[0]?.Code}`)
    }
    ContinuationToken = page.NextContinuationToken
    if (ContinuationToken === undefined) return
  }
}
