import { queryMerged, queryShards, readSortKey, recordsById, recordsInOrder } from '#lib/dynamo/lists'
import { onTable, type Table } from '#lib/dynamo/table'
import { ListingId } from '#lib/kernel/id'
import {
  agentListingIndex,
  agentListingQuery,
  availabilityCallsKey,
  listingCountsKey,
  listingKey,
  listingMoveKey,
  listingMovesQuery,
  listingReferenceKey,
  mediaListingKey,
  queuePartitions,
  titlesList,
} from './listing.keys.ts'
import { Listing } from './listing.ts'
import { Calls, countsOf, storedCountsOf } from './listing-counts.dynamo.ts'
import type { ListingReader } from './listing-store.ts'
import { ListingMove } from './listing-store.ts'
import { positionInQueue, queuePlace } from './review/queue-place.ts'

/** The number of entries that one search of the list of titles reads. */
const TITLED_MAX = 100

/** Opens the reader of listings. The file is separate, so that functions that only read do not bundle the writes. */
export const openListingReader = (table: Table): ListingReader => ({
  get: async (id) => {
    const item = await table.get(listingKey(id))
    return item && Listing.parse(item)
  },
  getMany: async (ids) => (await table.getMany(ids.map(listingKey))).map((item) => Listing.parse(item)),
  requireStatus: ({ id, status }) => table.check(listingKey(id), { when: { equals: { status } } }),
  byAgent: async (agentId, { limit, after }) => {
    const { items, last } = await table.query({
      ...agentListingQuery(agentId),
      limit,
      descending: true,
      after: after && agentListingIndex(agentId, after).gsi1sk,
    })
    // The index lags behind the records, so only the ids are taken from it.
    const ids = items.map(({ id }) => ListingId.parse(id))
    const listings = await recordsInOrder(table, ids, listingKey, Listing)
    return { items: listings, next: last === undefined ? undefined : ids.at(-1) }
  },
  byReference: async (agentId, reference) => {
    const claim = await table.get(listingReferenceKey(agentId, reference))
    const item = claim && (await table.get(listingKey(ListingId.parse(claim['listingId']))))
    const listing = item && Listing.parse(item)
    return listing && claimedReference(listing) === reference ? listing : undefined
  },
  titled: async (beginning) => {
    const page = { limit: TITLED_MAX, after: undefined, beginsWith: beginning }
    const { items } = await queryShards(table, titlesList(), page)
    const ids = new Set(items.map(({ listingId }) => ListingId.parse(listingId)))
    return recordsInOrder(table, [...ids], listingKey, Listing)
  },
  ofMedia: async (id) => {
    const entry = await table.get(mediaListingKey(id))
    const item = entry && (await table.get(listingKey(ListingId.parse(entry['listingId']))))
    const listing = item && Listing.parse(item)
    return listing?.media.some((media) => media.id === id) ? listing : undefined
  },
  move: async (id, moveId) => {
    const item = await table.get(listingMoveKey(id, moveId))
    return item && ListingMove.parse(item)
  },
  moves: async (id) => {
    const items = await table.queryAll({ ...listingMovesQuery(id), consistent: true })
    return items.map((item) => ListingMove.parse(item))
  },
  queued: async (lists, { limit, after }) => {
    const { items, next } = await queryMerged(table, lists.flatMap(queuePartitions), { limit, after }, 'gsi2')
    const positions = items.map((item) => String(item['gsi2sk']))
    const listings = await recordsById(table, positions.map(idAt), listingKey, Listing)
    // The index lags behind the records: a listing that has left the queue is left out.
    const isStillAt = (position: string, listing: Listing): boolean =>
      lists.includes(queuePlace(listing).list) && position === positionInQueue(listing)
    return {
      items: positions.flatMap((position) => {
        const listing = listings.get(idAt(position))
        return listing && isStillAt(position, listing) ? [listing] : []
      }),
      next,
    }
  },
  counts: async (agentId) => countsOf(await table.get(listingCountsKey(agentId))),
  storedCounts: async (agentId) => {
    const item = await table.get(listingCountsKey(agentId))
    return item && storedCountsOf(item)
  },
  // The number of calls by which the owner has set the availability.
  availabilityCalls: async (id) => {
    const item = await table.get(availabilityCallsKey(id))
    return item ? Calls.parse(item).calls : 0
  },
  requireAvailabilityCalls: (id, calls) =>
    table.check(availabilityCallsKey(id), { when: calls === 0 ? 'absent' : { equals: { calls } } }),
})

/** The reader of listings as a dependency. */
export const listingReader = onTable(openListingReader, {
  reads: ['AGENT', 'LISTING', 'MEDIA', 'REFERENCES', 'TITLES', 'gsi1:AGENT', 'gsi2:LISTINGS'],
})

/** Returns the reference that no other listing of the agent may have. */
export const claimedReference = ({ status, reference }: Listing): string | null =>
  status === 'ARCHIVED' ? null : reference

/** Returns the id of the listing at the position `<moment>#<id>` of a list. */
const idAt = (position: string): ListingId => ListingId.parse(readSortKey(position).id)
