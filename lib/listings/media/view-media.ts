import type { Listing } from '#lib/listings/listing'
import type { Viewer } from '#lib/listings/viewer'
import type { MediaLinks } from '#lib/media/store/media-links'
import type { Media, MediaView } from './media.ts'

/**
 * A listing's media in order. Customers see what is ready and published with it, pictures by their variants, and
 * learn nothing of what waits between them;
 * owner and administrators see everything, with a private link to each original, and private links to the
 * variants that are not public.
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

const isShown = ({ status, isPending }: Media): boolean => status === 'READY' && !isPending

async function viewOne(
  listing: Listing,
  { uploadBefore: _uploadBefore, isPending, pendingCaption: _pendingCaption, ...shown }: Media,
  position: number,
  viewer: Viewer,
  links: MediaLinks,
): Promise<MediaView> {
  const name = { agentId: listing.agentId, listingId: listing.id, mediaId: shown.id }
  const isPublic = viewer === 'customer' || (listing.status === 'PUBLISHED' && !isPending)
  const variants = shown.variants.map(async ({ hash, ...variant }) => ({
    ...variant,
    url: isPublic ? links.toPublic({ ...name, hash }) : await links.toVariant({ ...name, hash }),
  }))
  const view = { ...shown, position, url: null, variants: await Promise.all(variants) }
  return viewer === 'customer' ? view : { ...view, url: await links.toOriginal(name) }
}
