import type { EventId, ListingId, UserId } from '#lib/kernel/id'
import type { Key } from '#lib/kernel/write'

/** A listing's one record, its media included. */
export const listingKey = (id: ListingId): Key => ({ pk: `LISTING#${id}`, sk: 'LISTING' })

/** One move of a listing, beside it; they sort by age. */
export const listingMoveKey = (id: ListingId, moveId: EventId): Key => ({
  pk: `LISTING#${id}`,
  sk: `MOVE#${moveId}`,
})

/** An agent's own listings, by age. */
export const agentListingIndex = (agentId: UserId, id: ListingId) => ({
  gsi1pk: `AGENT#${agentId}`,
  gsi1sk: `LISTING#${id}`,
})

/** All listings of an agent. */
export const agentListingQuery = (agentId: UserId) => ({
  partition: `AGENT#${agentId}`,
  index: 'gsi1' as const,
})
