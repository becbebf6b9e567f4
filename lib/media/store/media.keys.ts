import type { Timestamp } from '#lib/kernel/clock'
import type { ListingId, UserId } from '#lib/kernel/id'
import type { Key } from '#lib/kernel/write'
import type { OriginalName, PublicName, VariantName } from './media-links.ts'

/** The object of an original; nothing under `originals/` is ever public. */
export const originalKey = ({ listingId, mediaId }: OriginalName): string =>
  `originals/${listingId}/${mediaId}`

/** The object of a variant that only owner and administrators may see. */
export const variantKey = ({ listingId, mediaId, hash }: VariantName): string =>
  `variants/${listingId}/${mediaId}/${hash}`

/** What of a variant's address stands behind `MEDIA_URL`; CloudFront shows what is under `public/`. */
export const publicPath = ({ agentId, listingId, mediaId, hash }: PublicName): string =>
  `${agentId}/${listingId}/${mediaId}/${hash}`

/** The object that a public address shows. */
export const publicKey = (name: PublicName): string => `public/${publicPath(name)}`

/** A media item that waits to arrive or to be processed, under the day on which it was asked for. */
export const waitingMediaKey = ({ listingId, mediaId }: OriginalName, since: Timestamp): Key => ({
  pk: waitingMediaPartition(since),
  sk: `${since}#${listingId}#${mediaId}`,
})

/** Everything that has waited since the day of a moment. */
export const waitingMediaPartition = (moment: Timestamp): string => `MEDIA-WAITING#${moment.slice(0, 10)}`

/** Where all public variants of a listing are. */
export const publicPrefix = (agentId: UserId, listingId: ListingId): string =>
  `public/${agentId}/${listingId}/`

/** Where everything made of a media item is. */
export const variantPrefixes = (
  agentId: UserId,
  { listingId, mediaId }: OriginalName,
): [hidden: string, shown: string] => [
  `variants/${listingId}/${mediaId}/`,
  `${publicPrefix(agentId, listingId)}${mediaId}/`,
]
