import { type Account, isInGoodStanding } from '#lib/accounts/account'
import type { Clock } from '#lib/kernel/clock'
import type { Versioned } from '#lib/kernel/version'
import { viewWaitingMedia } from '#lib/listings/media/media'
import { countShown, viewCover, viewMedia } from '#lib/listings/media/view-media'
import type { MediaLinks } from '#lib/media/store/media-links'
import { type CompleteListing, isOnline, type Listing, priceHistoryOf } from './listing.ts'
import type { ListingAgent, ListingCard, ListingView, RevisionView } from './listing-view.ts'
import type { Viewer } from './viewer.ts'

/** Whether customers may see a listing now: it is published and available, and its owner is in good standing. */
export const isPublic = (listing: Listing, owner: Account | undefined, now: Clock): boolean =>
  isOnline(listing) && owner !== undefined && isInGoodStanding(owner, now())

/** The listing as a viewer sees it. Links to originals are for its owner and administrators. */
export async function viewListing(
  listing: Listing,
  owner: Account | undefined,
  viewer: Viewer,
  links: MediaLinks,
): Promise<ListingView> {
  const { reasons, message, note, revision: _revision, ...stored } = listing
  const shown = { ...stored, priceHistory: priceHistoryOf(listing) }
  const agent = viewAgent(listing, owner)
  const media = await viewMedia(listing, viewer, links)
  if (viewer === 'customer') return { ...shown, agent, media }
  const known = { ...shown, agent, media, reasons, message, revision: viewRevision(listing) }
  return viewer === 'administrator' ? { ...known, note } : known
}

/** The agent of a listing, as customers see them. */
export const viewAgent = ({ agentId }: Listing, owner: Account | undefined): ListingAgent => ({
  userId: agentId,
  displayName: owner?.agent?.displayName ?? '',
  agency: owner?.agent?.agency ?? null,
})

/** The pending changes of a listing: changed fields, added media and new captions. */
export const viewRevision = ({ revision, media }: Listing): RevisionView | null =>
  revision && { ...revision, changes: { ...revision.changes, ...viewWaitingMedia(media) } }

/** The listing as a viewer sees it, with the version that a change of it may name. */
export const versionedView = async (
  listing: Listing,
  owner: Account | undefined,
  viewer: Viewer,
  links: MediaLinks,
): Promise<Versioned<ListingView>> => ({
  view: await viewListing(listing, owner, viewer, links),
  version: listing.version,
})

/** A listing as customers see it, for pages of results. */
export const viewPublished = async (
  listing: CompleteListing,
  owner: Account | undefined,
  links: MediaLinks,
) => {
  const { title, description, price, location, publishedAt } = listing
  return {
    ...(await viewListing(listing, owner, 'customer', links)),
    title,
    description,
    price,
    location,
    publishedAt,
  }
}

/** The card of a listing, as customers see it. */
export const viewCard = async (
  listing: CompleteListing,
  owner: Account | undefined,
  links: MediaLinks,
  distanceKm: number | null,
): Promise<ListingCard> => ({
  ...listing,
  agent: viewAgent(listing, owner),
  cover: await viewCover(listing, links),
  mediaCount: countShown(listing),
  distanceKm,
})
