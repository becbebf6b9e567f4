import { createHash } from 'node:crypto'
import * as z from 'zod'
import { Timestamp } from '#lib/kernel/clock'
import { wordsOf } from '#lib/kernel/folded-text'
import { ListingId, UserId } from '#lib/kernel/id'
import { Currency } from '#lib/kernel/money'
import { Category, Offer, RentPeriod } from '../fields.ts'
import { Availability, isComplete, isOnline, type Listing } from '../listing.ts'
import { publicLocation } from '../location.ts'

/** The values by which customers find a listing. An approximate location has the rounded point that customers see. */
export const SearchRow = z.object({
  agentId: UserId,
  offer: Offer,
  category: Category,
  title: z.string(),
  country: z.string(),
  city: z.string(),
  district: z.string().nullable(),
  lat: z.number().nullable(),
  lng: z.number().nullable(),
  amount: z.int(),
  currency: Currency,
  rentPeriod: RentPeriod.nullable(),
  bedrooms: z.int().nullable(),
  bathrooms: z.int().nullable(),
  areaSqm: z.number().nullable(),
  availability: Availability,
  publishedAt: Timestamp,
  features: z.array(z.string()),
  /** The words of title, description, district, city and features, folded, each once. */
  words: z.string(),
})
export type SearchRow = z.infer<typeof SearchRow>

/**
 * A change in the log: a listing's new row, null once it is not public; or the end of an agent's eligibility, null for an
 * agent who is not eligible. `version` rises with each change of the subject: an older change that comes late is left out.
 */
export const SearchChange = z.union([
  z.object({ subject: ListingId, version: z.int(), row: z.string().nullable() }),
  z.object({ subject: UserId, version: z.int(), until: Timestamp.nullable() }),
])
export type SearchChange = z.infer<typeof SearchChange>

/** Returns the row of a listing; null for a listing that customers may not see. */
export function searchRowOf(listing: Listing): SearchRow | null {
  if (!isOnline(listing) || !isComplete(listing)) return null
  const { title, description, price, features, ...values } = listing
  const { country, city, district, lat, lng } = publicLocation(listing.location)
  return SearchRow.parse({
    ...values,
    title,
    features,
    country,
    city,
    district,
    lat,
    lng,
    amount: price.amount,
    currency: price.currency,
    words: wordsOf([title, description, city, district ?? '', ...features].join('\n')).join(' '),
  })
}

/** Returns the row as JSON, for the log of changes; null for a listing that customers may not see. */
export const storedRowOf = (listing: Listing | undefined): string | null => {
  const row = listing && searchRowOf(listing)
  return row ? JSON.stringify(row) : null
}

/** Returns a short hash of a stored row, to tell whether a listing still has that row. */
export const fingerprintOf = (row: string): string =>
  createHash('sha256').update(row).digest('base64url').slice(0, 11)
