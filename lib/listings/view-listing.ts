import { type Account, isInGoodStanding } from '#lib/accounts/account'
import type { Clock } from '#lib/kernel/clock'
import type { Versioned } from '#lib/kernel/version'
import { viewWaitingMedia } from '#lib/listings/media/media'
import { viewMedia } from '#lib/listings/media/view-media'
import type { MediaLinks } from '#lib/media/store/media-links'
import type { Listing } from './listing.ts'
import type { ListingView, RevisionView } from './listing-view.ts'
import type { Viewer } from './viewer.ts'

/** Whether customers may see a listing now: it is published and so may its agent be seen. */
export const isPublic = (listing: Listing, owner: Account | undefined, now: Clock): boolean =>
  listing.status === 'PUBLISHED' && owner !== undefined && isInGoodStanding(owner, now())

/** The listing as a viewer sees it. Only owner and administrators get links to originals. */
export async function viewListing(
  listing: Listing,
  owner: Account | undefined,
  viewer: Viewer,
  links: MediaLinks,
): Promise<ListingView> {
  const { reasons, message, note, revision: _revision, ...shown } = listing
  const agent = {
    userId: listing.agentId,
    displayName: owner?.agent?.displayName ?? '',
    agency: owner?.agent?.agency ?? null,
  }
  const media = await viewMedia(listing, viewer, links)
  if (viewer === 'customer') return { ...shown, agent, media }
  const known = { ...shown, agent, media, reasons, message, revision: viewRevision(listing) }
  return viewer === 'administrator' ? { ...known, note } : known
}

/** What waits of a listing for a moderator: changed fields, added media and new captions. */
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
