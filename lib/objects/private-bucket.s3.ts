import {
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { s3 } from './s3-client.ts'

/** The bytes of a private object and their type. */
export type PrivateContent = { content: Buffer; contentType: string }

export async function put(
  Bucket: string,
  Key: string,
  { content, contentType }: PrivateContent,
): Promise<void> {
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
}

export async function remove(Bucket: string, Key: string): Promise<void> {
  await s3().send(new DeleteObjectCommand({ Bucket, Key }))
}

export async function removeAll(Bucket: string, Prefix: string): Promise<void> {
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

export const link = (Bucket: string, Key: string, expiresIn: number): Promise<string> =>
  getSignedUrl(s3(), new GetObjectCommand({ Bucket, Key }), { expiresIn })
