import { dependency } from '#lib/config'
import { originalKey } from './media.keys.ts'
import type { OriginalLinks } from './original-store.ts'

const LINK_SECONDS = 5 * 60

/** Presigned addresses. The S3 client is loaded at the first link: most readers of listings never need one. */
export const originalLinks = dependency(
  ['MEDIA_BUCKET'],
  ({ MEDIA_BUCKET }): OriginalLinks => ({
    linkTo: async (name) => {
      const [{ GetObjectCommand }, { getSignedUrl }, { s3 }] = await Promise.all([
        import('@aws-sdk/client-s3'),
        import('@aws-sdk/s3-request-presigner'),
        import('./s3-client.ts'),
      ])
      const command = new GetObjectCommand({
        Bucket: MEDIA_BUCKET,
        Key: originalKey(name),
        // Shown as what it was stored as, and never run: an original is a stranger's bytes.
        ResponseContentDisposition: 'attachment',
      })
      return getSignedUrl(s3(), command, { expiresIn: LINK_SECONDS })
    },
  }),
)
