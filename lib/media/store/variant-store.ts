import type { ListingId, UserId } from '#lib/kernel/id'
import type { OriginalName, PublicName, VariantName } from './media-links.ts'

/** Where variants are stored: privately, with a public copy while customers may see them. */
export type VariantStore = {
  put: (name: VariantName, content: Buffer, contentType: string) => Promise<void>
  /** Stores a film chunk by chunk, so that a long one needs little memory. */
  putStream: (name: VariantName, content: AsyncIterable<Buffer>, contentType: string) => Promise<void>
  /** The variants of a listing that are public now. */
  published: (agentId: UserId, listingId: ListingId) => Promise<PublicName[]>
  publish: (name: PublicName) => Promise<void>
  /** Removes variants from the public address; missing ones are ignored. */
  withdraw: (names: readonly PublicName[]) => Promise<void>
  /** Removes all there is of a media item: original and variants, private and public. Safe to repeat. */
  removeAll: (agentId: UserId, name: OriginalName) => Promise<void>
}
