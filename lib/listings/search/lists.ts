import type { Currency } from '#lib/kernel/money'
import type { Key } from '#lib/kernel/write'
import { digitsAt } from './cell.ts'
import {
  agentPartition,
  type ListedValues,
  newestOrder,
  orderedPartitionOf,
  type PlacedValues,
  placeOrder,
  placePartition,
  priceOrder,
  risingPriceOrder,
  searchKey,
} from './search.keys.ts'
import type { SearchEntry } from './search-entry.ts'

/** The minima of bedrooms that have lists of their own; one between them is looked for in the list below it. */
const LISTED_MINIMA: readonly number[] = [0, 2, 4]

/** The list to look in for at least so many bedrooms. */
export const listedMinimum = (bedrooms = 0): number =>
  LISTED_MINIMA.reduce((best, minimum) => (minimum <= bedrooms ? minimum : best))

/** The ways in which a list can be ordered. */
export type Sort = 'newest' | 'price' | '-price'

/** A list's name for an order; a price order is one of a currency. */
export const sortName = (sort: Sort, currency: Currency | undefined): ListedValues['sort'] =>
  sort === 'newest' ? sort : `price${sort === '-price' ? '-desc' : ''}-${currency}`

/** Which direction a list is read in, so that ties go by id, descending. */
export const isDescending = (sort: Sort): boolean => sort !== 'price'

/**
 * The places of a listing in the lists of the search, so that a search reads few entries that it does not answer
 * with. A listing is in the list of
 *
 * - each order: newest, price up, price down; a price belongs to its currency,
 * - of the world, its country, and its city, whatever country that is in,
 * - of its category and of all categories,
 * - of each minimum of bedrooms that it meets: two, four, and none,
 *
 * always under its offer: a search for both offers merges two lists. By place it stands in lists of its offer or any,
 * its category or any, and each minimum of bedrooms; and in three lists of its agent. That makes 25 to 69 small
 * items, 47 with three bedrooms: written once, and read a thousand times. What no list is made for (three bedrooms, a
 * city of one country, a price while newest come first) is left out while reading.
 *
 * **How keys spread** at a million listings and a thousand searches a second: a city's list of any size is one
 * partition: a page reads 20 neighbouring entries of some 500 bytes, about 3 of the 3,000 units a second that a
 * partition gives. Every visitor of a start page reads the lists of a country and of the world, and every publication
 * writes them: these are four partitions each, and a page reads a quarter of each. A place's partition is a square of
 * eleven degrees for each offer, category and minimum of bedrooms; within it a search reads short ranges, which
 * DynamoDB spreads further by itself when one of them runs hot. No key is written by all publications: the busiest is
 * a quarter of those of one offer, far below 1,000 a second.
 */
export function placesOf(entry: SearchEntry): Key[] {
  const { listingId: id, by } = entry
  const ordered = SORTS.flatMap((sort) => {
    const order = orderIn(sort, entry)
    const name = sortName(sort, entry.currency)
    const lists = combinations(entry).map((values) => orderedPartitionOf({ sort: name, ...values }, id))
    return [...lists, agentPartition(entry.agentId, name)].map((partition) => searchKey(partition, order))
  })
  if (entry.lat === null || entry.lng === null) return ordered
  const point = { lat: entry.lat, lng: entry.lng }
  const digits = digitsAt(point)
  const order = placeOrder(digits, point, id, by)
  return [...ordered, ...placed(entry).map((values) => searchKey(placePartition(values, digits), order))]
}

const SORTS: readonly Sort[] = ['newest', 'price', '-price']

function orderIn(sort: Sort, { publishedAt, amount, listingId, by }: SearchEntry): string {
  if (sort === 'newest') return newestOrder(publishedAt, listingId, by)
  return sort === 'price' ? risingPriceOrder(amount, listingId, by) : priceOrder(amount, listingId, by)
}

const combinations = (entry: SearchEntry): Omit<ListedValues, 'sort'>[] =>
  minimaOf(entry).flatMap((bedrooms) =>
    [undefined, entry.category].flatMap((category) =>
      [{}, { country: entry.country }, { city: entry.city }].map((place) => ({
        country: undefined,
        city: undefined,
        ...place,
        offer: entry.offer,
        category,
        bedrooms,
      })),
    ),
  )

const placed = (entry: SearchEntry): PlacedValues[] =>
  minimaOf(entry).flatMap((bedrooms) =>
    [undefined, entry.category].flatMap((category) =>
      [undefined, entry.offer].map((offer) => ({ offer, category, bedrooms })),
    ),
  )

const minimaOf = ({ bedrooms }: SearchEntry): number[] =>
  LISTED_MINIMA.filter((minimum) => minimum <= (bedrooms ?? 0))
