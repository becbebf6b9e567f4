import type { Budget } from './budget.ts'
import type { Neighbour } from './nearest.ts'
import type { SearchEntry } from './search-entry.ts'
import type { ListedEntry, SearchIndex } from './search-index.ts'

/** A list by place: how it is read, what a page may still spend on it, and what it has read of it already. */
export type Place = {
  index: Pick<SearchIndex, 'read'>
  budget: Budget
  partitionOf: (digits: string) => string
  kmOf: (entry: SearchEntry) => number
  isAskedFor: (entry: SearchEntry) => boolean
  known: Known
}

/** Ranges of the order of which every entry was read, both ends included; and all that was asked for so far. */
export type Known = { ranges: (readonly [string, string])[]; neighbours: Neighbour[] }

/** Counts and remembers what a query read; answers what is asked for of it. */
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
