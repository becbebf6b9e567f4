import type { Budget } from './budget.ts'
import type { Neighbour } from './nearest.ts'
import type { SearchEntry } from './search-entry.ts'
import type { ListedEntry, SearchIndex } from './search-index.ts'

/** A list by place: how to read it, the rest of the page's budget, and the entries read so far. */
export type Place = {
  index: Pick<SearchIndex, 'read'>
  budget: Budget
  partitionOf: (digits: string) => string
  kmOf: (entry: SearchEntry) => number
  isAskedFor: (entry: SearchEntry) => boolean
  known: Known
}

/** Ranges of the order that were read whole, both ends included, and the neighbours found so far. */
export type Known = { ranges: (readonly [string, string])[]; neighbours: Neighbour[] }

/** Counts and remembers the entries that a query read. Returns those that the search asks for. */
export function remember(
  { budget, known, kmOf, isAskedFor }: Place,
  found: readonly ListedEntry[],
): Neighbour[] {
  budget.entries -= found.length
  const asked = found
    .filter(({ entry }) => isAskedFor(entry))
    .map(({ entry }) => ({ km: kmOf(entry), id: entry.listingId }))
  known.neighbours.push(...asked)
  return asked
}
