import * as z from 'zod'
import { Timestamp } from '#lib/kernel/clock'
import { EventId, ListingId, UserId } from '#lib/kernel/id'
import { Currency } from '#lib/kernel/money'
import { Category, type Listing, Offer } from '../listing.ts'

/**
 * What a listing is found by: the values of one of its states. The same entry stands in many lists; it counts
 * as long as the listing names it (`Listing.indexedAs`).
 */
export const SearchEntry = z.object({
  listingId: ListingId,
  /** The writing this entry belongs to. */
  by: EventId,
  /** The version of the listing that it was written for. */
  version: z.int(),
  agentId: UserId,
  offer: Offer,
  category: Category,
  country: z.string(),
  /** By which cities compare, see `cityKey`. */
  city: z.string(),
  amount: z.int(),
  currency: Currency,
  bedrooms: z.int().nullable(),
  lat: z.number().nullable(),
  lng: z.number().nullable(),
  publishedAt: Timestamp,
})
export type SearchEntry = z.infer<typeof SearchEntry>

/** The entry of a listing as it is; undefined for one that was never complete, published and written. */
export function entryOf(listing: Listing): SearchEntry | undefined {
  const { price, location, publishedAt, indexedAs } = listing
  if (!price || !location || !publishedAt || !indexedAs) return undefined
  return {
    listingId: listing.id,
    by: indexedAs,
    version: listing.version,
    agentId: listing.agentId,
    offer: listing.offer,
    category: listing.category,
    country: location.country,
    city: cityKey(location.city),
    amount: price.amount,
    currency: price.currency,
    bedrooms: listing.bedrooms,
    lat: location.lat,
    lng: location.lng,
    publishedAt,
  }
}

/** Whether two states of a listing are found by the same. */
export function isFoundAlike(one: Listing, other: Listing): boolean {
  const { version: _1, ...before } = entryOf(one) ?? { version: 0 }
  const { version: _2, ...after } = entryOf(other) ?? { version: 0 }
  return JSON.stringify(before) === JSON.stringify(after)
}

/** What makes two cities the same: NFKC, trimmed, letter case folded (`ß` as `ss`, `ς` as `σ`, `ı` not as `i`). */
export const cityKey = (city: string): string =>
  [...city.normalize('NFKC').trim()].map(foldedCase).join('').normalize('NFKC')

const foldedCase = (character: string): string =>
  character === 'ı' ? character : character.toLowerCase().toUpperCase().toLowerCase()
