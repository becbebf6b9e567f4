import type { ListingId, UserId } from '#lib/kernel/id'
import type { OriginalName, PublicName, VariantName } from './media-links.ts'

/** Where variants live: privately, and once more in public while customers may see them. */
export type VariantStore = {
  put: (name: VariantName, content: Buffer, contentType: string) => Promise<void>
  /** Stores a film as it comes, however long, in little memory. */
  putStream: (name: VariantName, content: AsyncIterable<Buffer>, contentType: string) => Promise<void>
  /** Which variants of a listing are public, as they are now. */
  published: (agentId: UserId, listingId: ListingId) => Promise<PublicName[]>
  publish: (name: PublicName) => Promise<void>
  /** Removes variants from the public address; missing ones are ignored. */
  withdraw: (names: readonly PublicName[]) => Promise<void>
  /** Removes all there is of a media item: original and variants, private and public. Safe to repeat. */
  removeAll: (agentId: UserId, name: OriginalName) => Promise<void>
}
