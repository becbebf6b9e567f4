import { shardedKey, shardOf, shardsOf } from '#lib/dynamo/lists'
import type { EventId, ListingId, MediaId, UserId } from '#lib/kernel/id'
import type { Key } from '#lib/kernel/write'

/** A listing's one record, its media included. */
export const listingKey = (id: ListingId): Key => ({ pk: `LISTING#${id}`, sk: 'LISTING' })

/** A move of a listing, in its partition; moves sort by age. */
export const listingMoveKey = (id: ListingId, moveId: EventId): Key => ({
  pk: `LISTING#${id}`,
  sk: `MOVE#${moveId}`,
})

/** All moves of a listing. */
export const listingMovesQuery = (id: ListingId) => ({ partition: `LISTING#${id}`, beginsWith: 'MOVE#' })

/** The index entry of a listing among those of its agent, by age. */
export const agentListingIndex = (agentId: UserId, id: ListingId) => ({
  gsi1pk: `AGENT#${agentId}`,
  gsi1sk: `LISTING#${id}`,
})

/** All listings of an agent. */
export const agentListingQuery = (agentId: UserId) => ({
  partition: `AGENT#${agentId}`,
  index: 'gsi1' as const,
})

/** A listing's position in an administrators' list, longest waiting first. The id's last character decides the shard. */
export const queueIndex = (list: string, since: string, id: ListingId) => ({
  gsi2pk: `${queueOf(list)}#${shardOf(id.slice(-1))}`,
  gsi2sk: `${since}#${id}`,
})

/** The partitions of one of the administrators' lists. */
export const queuePartitions = (list: string): string[] => shardsOf(queueOf(list))

const queueOf = (list: string) => `LISTINGS#${list}`

/** The number of an agent's listings, by status. */
export const listingCountsKey = (agentId: UserId): Key => ({ pk: `AGENT#${agentId}`, sk: 'LISTING-COUNTS' })

/** The entry that names the agent's listing with a reference. A condition on this key keeps references unique. */
export const listingReferenceKey = (agentId: UserId, reference: string): Key => ({
  pk: `REFERENCES#${agentId}`,
  sk: reference,
})

/** The beginning of the partitions that list listings by the words of their titles. */
export const titlesList = (): string => 'TITLES'

/** The entry of a listing in that list. `position` is a word of its title, and its id. */
export const titleKey = (position: string): Key => shardedKey(titlesList(), position)

/** The entry that names the listing of an item of media. */
export const mediaListingKey = (id: MediaId): Key => ({ pk: `MEDIA#${id}`, sk: 'LISTING' })

/** The counter of the owner's calls that set a listing's availability. */
export const availabilityCallsKey = (id: ListingId): Key => ({ pk: `LISTING#${id}`, sk: 'AVAILABILITY' })
