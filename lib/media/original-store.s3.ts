import { PutObjectCommand } from '@aws-sdk/client-s3'
import { dependency } from '#lib/config'
import { originalKey } from './media.keys.ts'
import type { OriginalStore } from './original-store.ts'
import { s3 } from './s3-client.ts'

/** Originals in the media bucket, encrypted at rest, each checked by S3 against its SHA-256. */
export const originalStore = dependency(
  ['MEDIA_BUCKET'],
  ({ MEDIA_BUCKET }): OriginalStore => ({
    put: async (name, { content, contentType, sha256 }) => {
      await s3().send(
        new PutObjectCommand({
          Bucket: MEDIA_BUCKET,
          Key: originalKey(name),
          Body: content,
          ContentType: contentType,
          ChecksumSHA256: Buffer.from(sha256, 'hex').toString('base64'),
        }),
      )
    },
  }),
)
