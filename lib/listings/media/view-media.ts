import { isOnline, type Listing } from '#lib/listings/listing'
import { versionIn } from '#lib/listings/listing-version'
import type { Viewer } from '#lib/listings/viewer'
import type { MediaLinks, PublicMediaLinks } from '#lib/media/store/media-links'
import { type Media, type MediaView, originalOf } from './media.ts'

/** Returns a listing's media in order, as customers see them: those that are READY and not pending. */
export const viewShownMedia = (listing: Listing, links: PublicMediaLinks): MediaView[] =>
  listing.media.filter(isShown).map((media, position) => viewPublic(listing, media, position, links))

/**
 * Returns all of a listing's media in order, as its owner and administrators see them: with private links to the
 * originals, and to variants that are not public.
 */
export const viewMedia = (listing: Listing, links: MediaLinks): Promise<MediaView[]> =>
  Promise.all(listing.media.map((media, position) => viewForOwner(listing, media, position, links)))

/** Returns one item of a listing as the listing holds it, for its owner or an administrator. */
export async function viewItem(listing: Listing, media: Media, links: MediaLinks): Promise<MediaView> {
  const position = listing.media.findIndex(({ id }) => id === media.id)
  // The listing's own item comes first: storing it in a live listing made it pending, which `media` may not say.
  return viewForOwner(listing, listing.media[position] ?? media, position, links)
}

type Uploaded = { listing: Listing; viewer: Exclude<Viewer, 'customer'>; hashes: readonly string[] }

/** Returns the items of a listing with these hashes, in the order of the hashes, for the caller who uploaded them. */
export async function viewUploaded({ listing, viewer, hashes }: Uploaded, links: MediaLinks) {
  const media = await viewMedia(listing, links)
  const items = hashes.flatMap((sha256) => media.find((item) => item.sha256 === sha256) ?? [])
  return { view: { items }, ...versionIn(viewer, listing) }
}

/** Returns the first picture that customers see of a listing; null without one. */
export function viewCover(listing: Listing, links: PublicMediaLinks): MediaView | null {
  const cover = listing.media.find((media) => media.kind === 'image' && isShown(media))
  // It is shown alone, so it is the first of those shown, wherever the listing has it.
  const position = 0
  return cover ? viewPublic(listing, cover, position, links) : null
}

/** Counts a listing's media that customers see. */
export const countShown = ({ media }: Listing): number => media.filter(isShown).length

const isShown = ({ status, isPending }: Media): boolean => status === 'READY' && !isPending

function viewPublic(listing: Listing, media: Media, position: number, links: PublicMediaLinks): MediaView {
  const name = nameOf(listing, media)
  const variants = media.variants.map(({ hash, ...variant }) => ({
    ...variant,
    url: links.toPublic({ ...name, hash }),
  }))
  const { film } = media
  const url = film === null ? fullJpeg(variants) : links.toPublic({ ...name, hash: film })
  return { ...shownOf(media), position, url, variants }
}

async function viewForOwner(
  listing: Listing,
  media: Media,
  position: number,
  links: MediaLinks,
): Promise<MediaView> {
  const name = nameOf(listing, media)
  const isPublic = isOnline(listing) && !media.isPending
  const variants = media.variants.map(async ({ hash, ...variant }) => ({
    ...variant,
    url: isPublic ? links.toPublic({ ...name, hash }) : await links.toVariant({ ...name, hash }),
  }))
  const url = await links.toOriginal(originalOf(listing.id, media))
  return { ...shownOf(media), position, url, variants: await Promise.all(variants) }
}

const nameOf = ({ agentId, id }: Listing, media: Media) => ({ agentId, listingId: id, mediaId: media.id })

/** Returns the fields that a view shows unchanged. */
const shownOf = ({
  uploadBefore: _uploadBefore,
  isPending: _isPending,
  pendingCaption: _pendingCaption,
  film: _film,
  ...shown
}: Media) => shown

/** Returns the address of the `full` JPEG of a picture, or of a PDF's first page: every client can show a JPEG. */
const fullJpeg = (variants: MediaView['variants']): string | null =>
  variants.find(({ name, contentType }) => name === 'full' && contentType === 'image/jpeg')?.url ?? null
