import { dependency } from '#lib/config/config'
import { inBuckets } from '#lib/objects/buckets'
import { originalKey, variantKey } from './media.keys.ts'
import type { MediaLinks } from './media-links.ts'
import { publicLinksUnder } from './public-media-links.ts'

/** Presigned addresses. The signer is loaded at the first link: most readers of listings never need one. */
export const mediaLinks = inBuckets(
  ['MEDIA_BUCKET', 'MEDIA_URL'],
  ({ MEDIA_BUCKET, MEDIA_URL }): MediaLinks => {
    const linkTo = async (key: string, options = {}) => {
      const { presignedGet } = await import('./presigned-get.s3.ts')
      return presignedGet(MEDIA_BUCKET, key, options)
    }
    return {
      // A browser that opens the link saves the file and never runs it: an original is a stranger's bytes.
      toOriginal: (name) => linkTo(originalKey(name), { ResponseContentDisposition: 'attachment' }),
      toVariant: (name) => linkTo(variantKey(name)),
      ...publicLinksUnder(MEDIA_URL),
    }
  },
  { 'originals/': ['get'], 'variants/': ['get'] },
)

/** The links of listings without media. No link is signed, so a function needs no permission to read objects. */
export const draftLinks = dependency(['MEDIA_URL'], ({ MEDIA_URL }): MediaLinks => {
  const unsigned = () => Promise.reject(new Error('A draft has no media'))
  return { toOriginal: unsigned, toVariant: unsigned, ...publicLinksUnder(MEDIA_URL) }
})
