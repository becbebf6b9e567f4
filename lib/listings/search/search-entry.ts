import * as z from 'zod'
import { Timestamp } from '#lib/kernel/clock'
import { foldedText } from '#lib/kernel/folded-text'
import { ListingId, SearchEntryId, UserId } from '#lib/kernel/id'
import { Currency } from '#lib/kernel/money'
import { Category, Offer, SearchedFields } from '../fields.ts'
import type { Listing } from '../listing.ts'

/**
 * The values by which customers find one version of a listing. The same entry is stored in many lists, and is valid
 * while the listing names it in `indexedAs`. A value that an older entry lacks matches every search; the record of the
 * listing, read with the page, decides then.
 */
export const SearchEntry = z.object({
  ...SearchedFields.partial().shape,
  listingId: ListingId,
  /** The id under which the entry was written, see `Listing.indexedAs`. */
  by: SearchEntryId,
  /** The version of the listing for which the entry was written. */
  version: z.int(),
  agentId: UserId,
  offer: Offer,
  category: Category,
  country: z.string(),
  /** The folded name of the city, see `cityKey`. */
  city: z.string(),
  amount: z.int(),
  currency: Currency,
  lat: z.number().nullable(),
  lng: z.number().nullable(),
  publishedAt: Timestamp,
})
export type SearchEntry = z.infer<typeof SearchEntry>

/** The entry of a listing as it is now; undefined for a listing that never was complete, published and indexed. */
export function entryOf(listing: Listing): SearchEntry | undefined {
  const { price, location, publishedAt, indexedAs } = listing
  if (!price || !location || !publishedAt || !indexedAs) return undefined
  return {
    ...SearchedFields.parse(listing),
    listingId: listing.id,
    by: indexedAs,
    version: listing.version,
    agentId: listing.agentId,
    country: location.country,
    city: cityKey(location.city),
    amount: price.amount,
    currency: price.currency,
    lat: location.lat,
    lng: location.lng,
    publishedAt,
  }
}

/** Whether two versions of a listing have the same values to be found by. */
export function isFoundAlike(one: Listing, other: Listing): boolean {
  const { version: _1, ...before } = entryOf(one) ?? { version: 0 }
  const { version: _2, ...after } = entryOf(other) ?? { version: 0 }
  return JSON.stringify(before) === JSON.stringify(after)
}

/** The form in which the names of cities compare: folded, see `foldedText`. */
export const cityKey = (city: string): string => foldedText(city)
