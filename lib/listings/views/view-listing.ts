import type { Account } from '#lib/accounts/account'
import type { Versioned } from '#lib/kernel/version'
import { viewWaitingMedia } from '#lib/listings/media/media'
import { countShown, viewCover, viewMedia, viewShownMedia } from '#lib/listings/media/view-media'
import type { MediaLinks, PublicMediaLinks } from '#lib/media/store/media-links'
import type { CompleteListing, Listing } from '../listing.ts'
import { versionIn } from '../listing-version.ts'
import { publicLocation } from '../location.ts'
import {
  CardFields,
  type ListingAgent,
  type ListingCard,
  type ListingView,
  type PublishedListing,
  type RevisionView,
} from './listing-view.ts'

/** Returns a listing as its owner or an administrator sees it, with links to originals. */
export async function viewListing(
  listing: Listing,
  owner: Account | undefined,
  view: ListingView['view'],
  links: MediaLinks,
): Promise<ListingView> {
  const { note, ...shown } = listing
  return {
    ...shown,
    view,
    agent: viewAgent(listing, owner),
    media: await viewMedia(listing, links),
    distanceKm: null,
    revision: viewRevision(listing),
    ...(view === 'administrator' && { note }),
  }
}

/** Returns the agent of a listing, as customers see them. */
export const viewAgent = ({ agentId }: Listing, owner: Account | undefined): ListingAgent => ({
  userId: agentId,
  displayName: owner?.agent?.displayName ?? '',
  agency: owner?.agent?.agency ?? null,
})

/** Returns the pending changes of a listing: changed fields, added media and new captions. */
export const viewRevision = ({ revision, media }: Listing): RevisionView | null =>
  revision && { ...revision, changes: { ...revision.changes, ...viewWaitingMedia(media) } }

/** Returns the listing as a viewer sees it, with the version of this view, which `If-Match` may name. */
export const versionedView = async (
  listing: Listing,
  owner: Account | undefined,
  view: ListingView['view'],
  links: MediaLinks,
): Promise<Versioned<ListingView>> => ({
  view: await viewListing(listing, owner, view, links),
  ...versionIn(view, listing),
})

/** Returns a listing as customers see it. The schema of the answer removes the fields that a view does not have. */
export const viewPublished = (
  listing: CompleteListing,
  owner: Account | undefined,
  links: PublicMediaLinks,
  distanceKm: number | null = null,
): PublishedListing => ({
  ...listing,
  view: 'public',
  location: publicLocation(listing.location),
  agent: viewAgent(listing, owner),
  media: viewShownMedia(listing, links),
  distanceKm,
})

/**
 * Returns the card of a listing, as customers see it. It has no other field of the listing, since the size of the views
 * decides how many fit into one answer.
 */
export function viewCard(
  listing: CompleteListing,
  owner: Account | undefined,
  links: PublicMediaLinks,
  distanceKm: number | null = null,
): ListingCard {
  return {
    view: 'card',
    ...CardFields.parse(listing),
    location: publicLocation(listing.location),
    agent: viewAgent(listing, owner),
    cover: viewCover(listing, links),
    mediaCount: countShown(listing),
    distanceKm,
  }
}
