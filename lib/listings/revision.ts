import type { Timestamp } from '#lib/kernel/clock'
import { nullIfEmpty } from '#lib/listings/media/change-media'
import { onlyUnseenWaits, withheldUnseen, withRevisedCaption } from '#lib/listings/media/media'
import { ShownFields } from './fields.ts'
import type { Listing } from './listing.ts'

/** Whether a revision holds only media whose bytes may not have arrived, so that no moderator has seen them. */
export const isUndecidable = ({ revision, media }: Listing): boolean =>
  Object.keys(revision?.changes ?? {}).length === 0 && onlyUnseenWaits(media)

/** Returns the listing with its pending changes applied and its pending media published. */
export const withRevision = (listing: Listing): Listing => ({
  ...listing,
  ...ShownFields.parse({ ...listing, ...listing.revision?.changes }),
  media: listing.media.map(withRevisedCaption),
  revision: null,
})

/** Returns the listing without its pending changes, pending media and pending captions. */
export const withoutRevision = (listing: Listing): Listing => ({
  ...listing,
  media: listing.media
    .filter(({ isPending }) => !isPending)
    .map((media) => ({ ...media, pendingCaption: null })),
  revision: null,
})

/**
 * Returns the listing as it goes live. Media whose bytes may not have arrived become pending, in the listing's revision
 * or in a new one with the time `submittedAt`.
 */
export function goLive(listing: Listing, { submittedAt }: { submittedAt: Timestamp }): Listing {
  const media = listing.media.map(withheldUnseen)
  const revision = listing.revision ?? { changes: {}, submittedAt }
  return { ...listing, media, revision: nullIfEmpty(revision, media) }
}
