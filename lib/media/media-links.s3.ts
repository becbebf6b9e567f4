import { dependency } from '#lib/config'
import { originalKey, publicPath, variantKey } from './media.keys.ts'
import type { MediaLinks } from './media-links.ts'

const LINK_SECONDS = 5 * 60

/** Presigned addresses. The S3 client is loaded at the first link: most readers of listings never need one. */
export const mediaLinks = dependency(
  ['MEDIA_BUCKET', 'MEDIA_URL'],
  ({ MEDIA_BUCKET, MEDIA_URL }): MediaLinks => {
    const linkTo = async (Key: string, as?: { ResponseContentDisposition: string }) => {
      const [{ GetObjectCommand }, { getSignedUrl }, { s3 }] = await Promise.all([
        import('@aws-sdk/client-s3'),
        import('@aws-sdk/s3-request-presigner'),
        import('./s3-client.ts'),
      ])
      const command = new GetObjectCommand({ Bucket: MEDIA_BUCKET, Key, ...as })
      return getSignedUrl(s3(), command, { expiresIn: LINK_SECONDS })
    }
    return {
      // Shown as what it was stored as, and never run: an original is a stranger's bytes.
      toOriginal: (name) => linkTo(originalKey(name), { ResponseContentDisposition: 'attachment' }),
      toVariant: (name) => linkTo(variantKey(name)),
      toPublic: (name) => `${MEDIA_URL}/${publicPath(name)}`,
    }
  },
)
