import { DomainError } from '#lib/kernel/domain-error'
import type { SeenVersion, Versioned } from '#lib/kernel/version'
import type { Listing } from './listing.ts'
import type { ListingView, PaidForListing, PublishedListing } from './views/listing-view.ts'

type View = (ListingView | PublishedListing | PaidForListing)['view']

/**
 * Returns the version of a listing's view: the bare number for the public view, else the number and the view's name. A
 * view other than the public one is always sent, even to a caller who has this version: it holds links that expire.
 */
export const versionIn = (
  view: View,
  { version }: Pick<Listing, 'version'>,
): Omit<Versioned<View>, 'view'> =>
  view === 'public' ? { version } : { version: `${version}-${view}`, isAlwaysSent: true }

/**
 * Throws `version_conflict`, with the present version of the caller's view. Allows a caller who has seen the listing's
 * version in any view, or who names no version (undefined).
 */
export function refuseStaleListing(listing: Listing, view: View, seen: SeenVersion): void {
  if (seen === undefined || seen.some((tag) => numberOf(tag) === String(listing.version))) return
  throw new DomainError('version_conflict', { version: versionIn(view, listing).version })
}

/** Returns the number of a version, without its view. */
const numberOf = (tag: string): string => tag.replace(/-(?:owner|administrator|payer)$/, '')
