import { createHash } from 'node:crypto'
import { shardOf, shardsOf } from '#lib/dynamo/lists'
import type { ListingId, SearchEntryId, UserId } from '#lib/kernel/id'
import type { Key } from '#lib/kernel/write'
import { squareOf } from './cell.ts'
import type { Point } from './sphere.ts'

/** What a list holds: `undefined` stands for any. `bedrooms` is a minimum. */
export type ListedValues = {
  sort: 'newest' | `price-${string}` | `price-desc-${string}`
  country: string | undefined
  city: string | undefined
  offer: string
  category: string | undefined
  bedrooms: number
}

/** What a list by place holds. */
export type PlacedValues = { offer: string | undefined; category: string | undefined; bedrooms: number }

/** What was written to be found of one state of a listing, beside the listing; to be taken away again by. */
export const searchWritingKey = (id: ListingId, by: SearchEntryId): Key => ({
  pk: `LISTING#${id}`,
  sk: `SEARCH#${by}`,
})

/** All that may still be written of a listing. */
export const searchWritingsQuery = (id: ListingId) => ({ partition: `LISTING#${id}`, beginsWith: 'SEARCH#' })

/** An entry in one list: where it stands there is its order. */
export const searchKey = (partition: string, order: string): Key => ({ pk: partition, sk: order })

/** The partitions of an ordered list: one for a city, several for more, each holding any of its listings. */
export const orderedPartitions = (values: ListedValues): string[] =>
  values.city === undefined ? shardsOf(orderedList(values)) : [`${orderedList(values)}#0`]

/** The partition of an ordered list that a listing is in. */
export const orderedPartitionOf = (values: ListedValues, id: ListingId): string =>
  `${orderedList(values)}#${values.city === undefined ? shardOf(id.slice(-1)) : 0}`

function orderedList({ sort, country, city, offer, category, bedrooms }: ListedValues): string {
  const place = `${country ?? '*'}~${city === undefined ? '*' : hashed(city)}`
  return `SEARCH#${sort}#${place}#${offer}#${category ?? '*'}#${bedrooms}`
}

/** An agent's listings in an order. */
export const agentPartition = (agentId: UserId, sort: ListedValues['sort']): string =>
  `SEARCH#${sort}#${agentId}`

/** Listings by place: one partition for each of the 384 squares that the Earth is cut into. */
export const placePartition = ({ offer, category, bedrooms }: PlacedValues, digits: string): string =>
  `SEARCH#near#${offer ?? '*'}#${category ?? '*'}#${bedrooms}#${squareOf(digits)}`

/** Places in an order. All but `risingPriceOrder` are read downwards, so that ties go by id, descending. */
export const newestOrder = (publishedAt: string, id: ListingId, by: SearchEntryId): string =>
  `${publishedAt}#${id}#${by}`
export const priceOrder = (amount: number, id: ListingId, by: SearchEntryId): string =>
  `${padded(amount)}#${id}#${by}`
export const risingPriceOrder = (amount: number, id: ListingId, by: SearchEntryId): string =>
  `${padded(amount)}#${mirrored(id)}#${by}`

/**
 * A place by its finest cell, and there by its very coordinates, spelled so that different numbers differ: in one
 * cell lie points that are not at the same distance, but what shares a point stands together, and goes by id.
 */
export const placeOrder = (digits: string, { lat, lng }: Point, id: ListingId, by: SearchEntryId): string =>
  `${digits}#${lat},${lng}#${id}#${by}`

/** Everything from one price to another, in either price order. */
export const priceRange = (minimum: number, maximum: number): readonly [string, string] => [
  `${padded(minimum)}#`,
  `${padded(maximum)}#~`,
]

/** Everything from one of the finest cells to another, both included. */
export const placeRange = (from: string, to: string): readonly [string, string] => [`${from}#`, `${to}#~`]

/** Where one of the finest cells begins in the order: before all that lies in it. */
export const startOfCell = (digits: string): string => `${digits}#`

/** Where the point of a place begins in the order: before all that lies at it, or before an id there. */
export const startOfPoint = (order: string, id = ''): string => `${pointOfOrder(order)}#${id}`

/** The finest cell that a place in the order names. */
export const digitsOfOrder = (order: string): string => order.slice(0, order.indexOf('#'))

/** The very point that a place in the order names, with its cell. */
export const pointOfOrder = (order: string): string => order.split('#', 2).join('#')

const padded = (amount: number): string => String(amount).padStart(16, '0')

const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** An id whose order is the other way round. */
const mirrored = (id: string): string =>
  id.replace(/[0-9A-Z]/g, (digit) => DIGITS[DIGITS.length - 1 - DIGITS.indexOf(digit)] ?? digit)

/** A name in a few characters of the alphabet of keys: a city's may be long, and hold anything. */
const hashed = (name: string): string => createHash('sha256').update(name).digest('base64url').slice(0, 22)
