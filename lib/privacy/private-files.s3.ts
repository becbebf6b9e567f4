import {
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { dependency } from '#lib/config'
import { privateFileKey, privateFilePrefixes } from '#lib/kyc/kyc.keys'
import { s3 } from '#lib/s3-client'
import { LINK_SECONDS, type PrivateFiles } from './private-files.ts'

/** Private files in the documents bucket, encrypted at rest by S3. */
export const privateFiles = dependency(
  ['DOCUMENTS_BUCKET'],
  ({ DOCUMENTS_BUCKET: Bucket }): PrivateFiles => ({
    put: async (file, { content, contentType }) => {
      await s3().send(
        new PutObjectCommand({
          Bucket,
          Key: privateFileKey(file),
          Body: content,
          ContentType: contentType,
          // Never shown as a page: it is a stranger's bytes.
          ContentDisposition: 'attachment',
          ServerSideEncryption: 'AES256',
        }),
      )
    },
    remove: async (file) => {
      await s3().send(new DeleteObjectCommand({ Bucket, Key: privateFileKey(file) }))
    },
    removeAll: async (userId) => {
      for (const Prefix of privateFilePrefixes(userId)) await removePrefix(Bucket, Prefix)
    },
    linkTo: (file) =>
      getSignedUrl(s3(), new GetObjectCommand({ Bucket, Key: privateFileKey(file) }), {
        expiresIn: LINK_SECONDS,
      }),
  }),
)

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
