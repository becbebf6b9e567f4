import { isOnline, type Listing } from '#lib/listings/listing'
import type { Viewer } from '#lib/listings/viewer'
import type { MediaLinks } from '#lib/media/store/media-links'
import type { Media, MediaView } from './media.ts'

/**
 * A listing's media in order. Customers see READY media that are not pending. Owner and administrators see all media,
 * with private links to the originals, and to variants that are not public.
 */
export const viewMedia = (listing: Listing, viewer: Viewer, links: MediaLinks): Promise<MediaView[]> =>
  Promise.all(
    listing.media
      .filter((media) => viewer !== 'customer' || isShown(media))
      .map((media, position) => viewOne(listing, media, position, viewer, links)),
  )

/** One item of a listing, for its owner or an administrator. */
export async function viewItem(
  listing: Listing,
  media: Media,
  viewer: Exclude<Viewer, 'customer'>,
  links: MediaLinks,
): Promise<MediaView> {
  const position = listing.media.findIndex(({ id }) => id === media.id)
  return viewOne(listing, listing.media[position] ?? media, position, viewer, links)
}

/** The items of a listing with these hashes, in the order of the hashes, for who uploaded them. */
export async function viewUploaded(
  listing: Listing,
  viewer: Viewer,
  hashes: readonly string[],
  links: MediaLinks,
): Promise<MediaView[]> {
  const media = await viewMedia(listing, viewer, links)
  return hashes.flatMap((sha256) => media.find((item) => item.sha256 === sha256) ?? [])
}

/** The first picture that customers see of a listing; null without one. */
export async function viewCover(listing: Listing, links: MediaLinks): Promise<MediaView | null> {
  const cover = listing.media.find((media) => media.kind === 'image' && isShown(media))
  return cover ? viewOne(listing, cover, 0, 'customer', links) : null
}

/** The number of a listing's media that customers see. */
export const countShown = ({ media }: Listing): number => media.filter(isShown).length

const isShown = ({ status, isPending }: Media): boolean => status === 'READY' && !isPending

async function viewOne(
  listing: Listing,
  { uploadBefore: _uploadBefore, isPending, pendingCaption: _pendingCaption, film, ...shown }: Media,
  position: number,
  viewer: Viewer,
  links: MediaLinks,
): Promise<MediaView> {
  const name = { agentId: listing.agentId, listingId: listing.id, mediaId: shown.id }
  const isPublic = viewer === 'customer' || (isOnline(listing) && !isPending)
  const variants = shown.variants.map(async ({ hash, ...variant }) => ({
    ...variant,
    url: isPublic ? links.toPublic({ ...name, hash }) : await links.toVariant({ ...name, hash }),
  }))
  const view = { ...shown, position, url: null, variants: await Promise.all(variants) }
  if (viewer !== 'customer') return { ...view, url: await links.toOriginal(name) }
  return { ...view, url: film === null ? fullJpeg(view) : links.toPublic({ ...name, hash: film }) }
}

/** The address of the largest JPEG of a picture, or of the first page of a PDF: every client can show one. */
const fullJpeg = ({ variants }: Pick<MediaView, 'variants'>): string | null =>
  variants.find(({ name, contentType }) => name === 'full' && contentType === 'image/jpeg')?.url ?? null
