import { logChange } from '#lib/dynamo/change-log'
import { onTable, type Table } from '#lib/dynamo/table'
import { listedWords } from '#lib/kernel/folded-text'
import type { Write } from '#lib/kernel/write'
import {
  agentListingIndex,
  availabilityCallsKey,
  listingCountsKey,
  listingKey,
  listingMoveKey,
  listingReferenceKey,
  mediaListingKey,
  queueIndex,
  titleKey,
} from './listing.keys.ts'
import type { Listing } from './listing.ts'
import { totalOf } from './listing-counts.ts'
import { claimedReference, openListingReader } from './listing-reader.dynamo.ts'
import type { ListingStore } from './listing-store.ts'
import { hasWaiting } from './media/media.ts'
import { mediaUpdate, storedMedia } from './media-map.dynamo.ts'
import { queuePlace } from './review/queue-place.ts'
import { loggedChangeOf } from './search/search-row.ts'

/** Opens the listings in the one table. */
export const openListings = (table: Table): ListingStore => ({
  ...openListingReader(table),
  insert: (listing) => [
    table.put(itemOf(listing), { when: 'absent' }),
    ...referenceWrites(table, undefined, listing),
    ...titleWrites(table, undefined, listing),
    ...logSearch(table, undefined, listing),
  ],
  replace: (seen, next) => [
    replaced(table, seen, next),
    ...referenceWrites(table, seen, next),
    ...titleWrites(table, seen, next),
    ...logSearch(table, seen, next),
  ],
  changeMedia: (seen, next) => {
    // A change that begins or ends a revision moves the listing in the queue, which takes a write of the whole record.
    const movesInQueue = (seen.revision === null) !== (next.revision === null)
    // So does one after which less waits: of simultaneous ones the last ends the revision.
    const isWaitingLess = next.media.filter(hasWaiting).length < seen.media.filter(hasWaiting).length
    const isWhole = movesInQueue || isWaitingLess
    const update = isWhole ? undefined : mediaUpdate(table, listingKey(seen.id), seen, next)
    return update ?? replaced(table, seen, next)
  },
  nameMedia: (listingId, id) => table.put({ ...mediaListingKey(id), kind: 'media-listing', listingId }),
  recordMove: (id, move) =>
    table.put(
      { ...listingMoveKey(id, move.id), kind: 'listing-move', listingId: id, ...move },
      { when: 'absent' },
    ),
  setCounts: (agentId, seen, counts) =>
    table.update(listingCountsKey(agentId), {
      set: { kind: 'listing-counts', ...counts, total: totalOf(counts) },
      when: seen ? { equals: seen } : 'absent',
    }),
  countMove: (agentId, { from, to }, limits) =>
    table.update(listingCountsKey(agentId), {
      set: { kind: 'listing-counts' },
      add: { [to]: 1, ...(from === undefined ? { total: 1 } : { [from]: -1 }) },
      ...(limits && { when: { countsBelow: limits } }),
    }),
  countAvailabilityCall: (id) =>
    table.update(availabilityCallsKey(id), { set: { kind: 'availability-calls' }, add: { calls: 1 } }),
  commit: table.commit,
})

const replaced = (table: Table, seen: Listing, next: Listing): Write =>
  table.put(itemOf(next), { when: { equals: { version: seen.version } } })

/** Returns the writes that claim a listing's new reference, and free the one before. */
function referenceWrites(table: Table, seen: Listing | undefined, next: Listing): Write[] {
  const before = seen ? claimedReference(seen) : null
  const after = claimedReference(next)
  if (before === after) return []
  const { agentId, id: listingId } = next
  const claim = (reference: string): Write =>
    table.put(
      { ...listingReferenceKey(agentId, reference), kind: 'listing-reference', listingId },
      { when: 'absent' },
    )
  return [
    ...(before === null ? [] : [table.remove(listingReferenceKey(agentId, before))]),
    ...(after === null ? [] : [claim(after)]),
  ]
}

/** Returns the writes that list a listing by the words of its new title, and no longer by those of its old one. */
function titleWrites(table: Table, seen: Listing | undefined, next: Listing): Write[] {
  if (seen?.title === next.title) return []
  const [before, after] = [titlePositions(seen), titlePositions(next)]
  return [
    ...before
      .filter((position) => !after.includes(position))
      .map((position): Write => table.remove(titleKey(position))),
    ...after
      .filter((position) => !before.includes(position))
      .map(
        (position): Write => table.put({ ...titleKey(position), kind: 'listing-title', listingId: next.id }),
      ),
  ]
}

/** The largest number of words by which a title is listed. */
const TITLE_WORDS_MAX = 12

/** Returns the positions of a listing in the list of titles, one for each word. */
const titlePositions = (listing: Listing | undefined): string[] =>
  listing ? listedWords(listing.title ?? '', TITLE_WORDS_MAX).map((word) => `${word}#${listing.id}`) : []

/** Logs a change of a listing for the search, if the search shows it. */
function logSearch(table: Table, seen: Listing | undefined, next: Listing): Write[] {
  const logged = loggedChangeOf(seen, next)
  return logged ? [logChange(table, next.id, next.version, logged)] : []
}

const itemOf = (listing: Listing) => {
  const { list, since } = queuePlace(listing)
  return {
    ...listingKey(listing.id),
    ...agentListingIndex(listing.agentId, listing.id),
    ...queueIndex(list, since, listing.id),
    kind: 'listing',
    ...listing,
    ...storedMedia(listing.media),
  }
}

/** The listing store as a dependency. */
export const listings = onTable(openListings, {
  reads: ['AGENT', 'LISTING', 'MEDIA', 'REFERENCES', 'TITLES', 'gsi1:AGENT', 'gsi2:LISTINGS'],
  writes: ['AGENT', 'LISTING', 'MEDIA', 'REFERENCES', 'SEARCH-LOG', 'TITLES'],
})
