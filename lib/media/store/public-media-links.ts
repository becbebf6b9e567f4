import { dependency } from '#lib/config'
import { publicPath } from './media.keys.ts'
import type { PublicMediaLinks } from './media-links.ts'

/** Returns the public addresses of what is served under an address. */
export const publicLinksUnder = (mediaUrl: string): PublicMediaLinks => ({
  toPublic: (name) => `${mediaUrl}/${publicPath(name)}`,
})

/** Addresses for what customers see. Who makes no others needs no right to the bucket. */
export const publicMediaLinks = dependency(['MEDIA_URL'], ({ MEDIA_URL }) => publicLinksUnder(MEDIA_URL))
