import type { ListingId, MediaId, UserId } from '#lib/kernel/id'
import type { FileKind } from '#lib/media/file-kind'

/** Names a media item. */
export type MediaName = { listingId: ListingId; mediaId: MediaId }

/** Names the original of a media item. By the kind, the store tells the function for such files of its arrival. */
export type OriginalName = MediaName & { kind: FileKind }

/** Names a variant while it is private. */
export type VariantName = MediaName & { hash: string }

/** Names a variant that customers may see. */
export type PublicName = VariantName & { agentId: UserId }

/** Makes addresses that are good while the variant is public. */
export type PublicMediaLinks = { toPublic: (name: PublicName) => string }

/** Makes private addresses in addition: good for five minutes, for one object, without any credential. */
export type MediaLinks = PublicMediaLinks & {
  toOriginal: (name: OriginalName) => Promise<string>
  toVariant: (name: VariantName) => Promise<string>
}
