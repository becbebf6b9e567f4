import { timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import type { Listing, Revision } from '#lib/listings/listing'
import { hasWaiting, isCounted, MEDIA_MAX, type Media } from './media.ts'

/** The largest number of expired uploads that a listing keeps. */
const EXPIRED_MAX = 40

/** Whether customers see a listing, or may see it again without a review: added media wait in its revision. */
export const isLive = ({ status }: Pick<Listing, 'status'>): boolean =>
  status === 'PUBLISHED' || status === 'SUSPENDED'

/** Throws `listing_transition_not_allowed` for an archived listing. Its `to` is `from`: no change of status was asked for. */
export function refuseArchived({ status }: Listing): void {
  if (status !== 'ARCHIVED') return
  throw new DomainError('listing_transition_not_allowed', {
    detail: 'An archived listing does not change',
    extensions: { from: status, to: status, allowed: [] },
  })
}

/** Returns the revision; null if neither a change nor one of the listing's media waits in it. */
export const nullIfEmpty = (revision: Revision, media: readonly Media[]): Revision | null =>
  media.some(hasWaiting) || Object.keys(revision.changes).length > 0 ? revision : null

/** Returns the next version of a listing, with these media, and with a revision while something waits in it. */
export function withMedia(listing: Listing, media: readonly Media[], now: Date): Listing {
  const at = timestamp(now)
  const next = { ...listing, media: dropOldestExpired(media), updatedAt: at, version: listing.version + 1 }
  if (!isLive(listing)) return next
  return { ...next, revision: nullIfEmpty(listing.revision ?? { changes: {}, submittedAt: at }, media) }
}

/**
 * Returns the next version of a listing, with more media after the others. They replace items of the same bytes. Throws
 * `media_limit_reached`.
 */
export function withAddedMedia(listing: Listing, added: readonly Media[], now: Date): Listing {
  const isPending = isLive(listing)
  const hashes = new Set(added.map(({ sha256 }) => sha256))
  const kept = listing.media.filter(({ sha256 }) => !hashes.has(sha256))
  const media = [...kept, ...added.map((item) => ({ ...item, isPending }))]
  if (media.filter(isCounted).length > MEDIA_MAX) {
    throw new DomainError('media_limit_reached', { detail: `A listing may have ${MEDIA_MAX} media` })
  }
  return withMedia(listing, media, now)
}

/** Drops the oldest of more than 40 expired uploads: the items that are not counted. */
function dropOldestExpired(media: readonly Media[]): Media[] {
  const surplus = media.filter((item) => !isCounted(item)).slice(0, -EXPIRED_MAX)
  return media.filter((item) => !surplus.includes(item))
}
