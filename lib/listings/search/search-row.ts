import * as z from 'zod'
import { Timestamp } from '#lib/kernel/clock'
import { findableWords } from '#lib/kernel/folded-text'
import { ListingId, UserId } from '#lib/kernel/id'
import { sha256 } from '#lib/kernel/signatures'
import { isComplete, isOnline, type Listing } from '../listing.ts'
import { publicLocation } from '../location.ts'
import { COMPARED_ROW } from './compared-fields.ts'

/**
 * The values by which customers find a listing, except its texts. An approximate location has the rounded point that
 * customers see.
 */
export const SearchRow = z.object({
  agentId: UserId,
  ...COMPARED_ROW,
  country: z.string(),
  city: z.string(),
  district: z.string().nullable(),
  lat: z.number().nullable(),
  lng: z.number().nullable(),
  /** The hash of the listing's `SearchTexts`. */
  textsHash: z.string(),
})
export type SearchRow = z.infer<typeof SearchRow>

/** The texts by which customers find a listing. */
export const SearchTexts = z.object({
  title: z.string(),
  features: z.array(z.string()),
  /** The words that title, description, city, district and features are found by, each once. */
  words: z.string(),
})

/**
 * A change in the log: a listing's new row, null once it is not public; or the end of an agent's eligibility, null for an
 * agent who is not eligible. `version` rises with each change of the subject: an older change that comes late is left out.
 * `texts` is null if the texts are those of the version before.
 */
export const SearchChange = z.union([
  z.object({
    subject: ListingId,
    version: z.int(),
    row: z.string().nullable(),
    texts: z.string().nullable(),
  }),
  z.object({ subject: UserId, version: z.int(), until: Timestamp.nullable() }),
])
export type SearchChange = z.infer<typeof SearchChange>
export type ListingChange = Extract<SearchChange, { row: unknown }>

type Stored = Pick<ListingChange, 'row' | 'texts'>

/** Returns the row and the texts of a listing as JSON; null for a listing that customers may not see. */
function storedOf(listing: Listing | undefined): Stored {
  if (!listing || !isOnline(listing) || !isComplete(listing)) return { row: null, texts: null }
  const { title, description, price, features, ...values } = listing
  const { country, city, district, lat, lng } = publicLocation(listing.location)
  const words = findableWords([title, description, city, district ?? '', ...features].join('\n')).join(' ')
  const texts = JSON.stringify(SearchTexts.parse({ title, features, words }))
  const row = SearchRow.parse({
    ...values,
    country,
    city,
    district,
    lat,
    lng,
    amount: price.amount,
    currency: price.currency,
    textsHash: fingerprintOf(texts),
  })
  return { row: JSON.stringify(row), texts }
}

/** Returns the row of a listing as JSON; null for a listing that customers may not see. */
export const storedRowOf = (listing: Listing | undefined): string | null => storedOf(listing).row

/** Returns the change that gives a copy the row and the texts of a listing, whatever the copy holds. */
export const wholeChangeOf = (listing: Listing): ListingChange => ({
  subject: listing.id,
  version: listing.version,
  ...storedOf(listing),
})

/**
 * Returns what the log holds of a change; undefined for a change that the search does not show. Texts are logged if the
 * listing is published for the first time, or has new ones. A copy that lacks them later reads the listing.
 */
export function loggedChangeOf(seen: Listing | undefined, next: Listing): Stored | undefined {
  const [before, after] = [storedOf(seen), storedOf(next)]
  if (before.row === after.row) return undefined
  const wasPublished = (seen?.publishedAt ?? null) !== null
  const hasNewTexts = before.row === null ? !wasPublished : before.texts !== after.texts
  return hasNewTexts ? after : { row: after.row, texts: null }
}

/** Returns a short hash of a stored row or of stored texts, to tell whether a listing still has them. */
export const fingerprintOf = (stored: string): string => sha256(stored, 'base64url').slice(0, 11)
