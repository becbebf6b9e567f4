import { type Account, isInGoodStanding } from '#lib/accounts/account'
import type { Clock } from '#lib/kernel/clock'
import { viewWaitingMedia } from '#lib/listings/media/media'
import { viewMedia } from '#lib/listings/media/view-media'
import type { MediaLinks } from '#lib/media/store/media-links'
import { etagOf, type Listing, type ListingView, type RevisionView } from './listing.ts'
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

/** Answers with one listing and its strong `ETag`. */
export const listingReply =
  <const Status extends 200 | 201>(
    status: Status,
    owner: Account | undefined,
    viewer: Viewer,
    links: MediaLinks,
  ) =>
  async (listing: Listing) => ({
    status,
    body: await viewListing(listing, owner, viewer, links),
    headers: cacheHeaders(listing, viewer),
  })

/** Answers 304 to a caller who has this version already. */
export function unchanged(listing: Listing, viewer: Viewer, ifNoneMatch: string | null) {
  const tags = ifNoneMatch?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? []
  if (!tags.includes('*') && !tags.includes(etagOf(listing))) return undefined
  return { status: 304 as const, headers: cacheHeaders(listing, viewer) }
}

/** What customers see may be kept if it is asked about each time; what owner and administrators see is theirs. */
const cacheHeaders = (listing: Listing, viewer: Viewer): Record<string, string> => ({
  etag: etagOf(listing),
  ...(viewer === 'customer' && { 'cache-control': 'no-cache', vary: 'Authorization, Origin' }),
})
