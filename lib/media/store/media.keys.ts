import type { ListingId, UserId } from '#lib/kernel/id'
import type { MediaName, OriginalName, PublicName, VariantName } from './media-links.ts'

/** The S3 key of an original; nothing under `originals/` is ever public. */
export const originalKey = ({ kind, listingId, mediaId }: OriginalName): string =>
  `originals/${kind}/${listingId}/${mediaId}`

/** The S3 key of a variant while only its owner and administrators may read it. */
export const variantKey = ({ listingId, mediaId, hash }: VariantName): string =>
  `variants/${listingId}/${mediaId}/${hash}`

/** The path of a public variant under `MEDIA_URL`; CloudFront serves the objects under `public/`. */
export const publicPath = ({ agentId, listingId, mediaId, hash }: PublicName): string =>
  `${agentId}/${listingId}/${mediaId}/${hash}`

/** The S3 key of the object that a public address serves. */
export const publicKey = (name: PublicName): string => `public/${publicPath(name)}`

/** The S3 prefix of all public variants of a listing. */
export const publicPrefix = (agentId: UserId, listingId: ListingId): string =>
  `public/${agentId}/${listingId}/`

/** The S3 prefixes of all variants of a media item. */
export const variantPrefixes = (
  agentId: UserId,
  { listingId, mediaId }: MediaName,
): [hidden: string, shown: string] => [
  `variants/${listingId}/${mediaId}/`,
  `${publicPrefix(agentId, listingId)}${mediaId}/`,
]
