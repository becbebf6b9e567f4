import { dependency } from '#lib/config/config'
import { publicPath } from './media.keys.ts'
import type { PublicMediaLinks } from './media-links.ts'

/** Makes public addresses of media that begin with `mediaUrl`. */
export const publicLinksUnder = (mediaUrl: string): PublicMediaLinks => ({
  toPublic: (name) => `${mediaUrl}/${publicPath(name)}`,
})

/** Makes public addresses of media. A function with these alone needs no right to the bucket. */
export const publicMediaLinks = dependency(['MEDIA_URL'], ({ MEDIA_URL }) => publicLinksUnder(MEDIA_URL))
