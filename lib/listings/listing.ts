import * as z from 'zod'
import { Timestamp } from '#lib/kernel/clock'
import { ListingId, UserId } from '#lib/kernel/id'
import { Money } from '#lib/kernel/money'
import { StoredMediaList } from '#lib/listings/media/media'
import { ShownFields, StoredFields } from './fields.ts'

export const ListingStatus = z
  .enum(['DRAFT', 'PENDING_REVIEW', 'PUBLISHED', 'REJECTED', 'SUSPENDED', 'ARCHIVED'])
  .meta({ id: 'ListingStatus', example: 'PUBLISHED' })
export type ListingStatus = z.infer<typeof ListingStatus>

/** Whether the property can still be had, as its owner says. TAKEN and PAUSED listings are not public. */
export const Availability = z
  .enum(['AVAILABLE', 'UNDER_OFFER', 'TAKEN', 'PAUSED'])
  .meta({ id: 'Availability' })
export type Availability = z.infer<typeof Availability>

/** A price of a listing, and the time from which the listing has it. */
export const PricePoint = z.object({ price: Money, at: Timestamp })

/** The moderator's reasons for a decision. `owner_not_verified` is the service's own, see `Listing.reasons`. */
export const ModerationReason = z
  .enum([
    'duplicate',
    'misleading',
    'wrong_category',
    'wrong_price',
    'wrong_location',
    'poor_media',
    'contact_details_in_text',
    'prohibited_content',
    'discrimination',
    'suspected_fraud',
    'not_available',
    'other',
  ])
  .meta({ id: 'ModerationReason' })

/** The reason of a suspension because the owner lost eligibility; it ends when the owner is eligible again. */
export const OWNER_NOT_VERIFIED = 'owner_not_verified'

/** Changed fields of a live listing, pending until a moderator decides. Pending media are marked in `Listing.media`. */
export const Revision = z.object({ changes: ShownFields.partial(), submittedAt: Timestamp })
export type Revision = z.infer<typeof Revision>

/** A listing's one record, media included: one read returns all of it, and one version counts all its changes. */
export const Listing = StoredFields.extend({
  id: ListingId,
  agentId: UserId,
  reference: z.string().nullable().default(null).meta({ example: 'ABJ-2041' }),
  status: ListingStatus,
  availability: Availability,
  media: StoredMediaList,
  /** The reasons of the newest decision: a moderator's codes, or `owner_not_verified`. */
  reasons: z.array(z.string()).meta({ example: [] }),
  /** The words of the newest decision: to the owner, and for administrators alone. */
  message: z.string().nullable(),
  note: z.string().nullable(),
  revision: Revision.nullable(),
  /** The prices since the first publication, see `withPriceRecorded`. */
  priceHistory: z.array(PricePoint),
  /** Rises with every change; the strong `ETag`. */
  version: z.int(),
  submittedAt: Timestamp.nullable(),
  publishedAt: Timestamp.nullable().meta({ example: '2026-11-04T08:30:12.940Z' }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type Listing = z.infer<typeof Listing>

/**
 * Whether the listing's own state lets customers see it: it is published and available. In addition its owner must be
 * eligible, see `isPublic`.
 */
export const isOnline = ({ status, availability }: Pick<Listing, 'status' | 'availability'>): boolean =>
  status === 'PUBLISHED' && (availability === 'AVAILABLE' || availability === 'UNDER_OFFER')

/** A listing with every field that publication needs. */
export type CompleteListing = Listing & {
  [Field in 'title' | 'description' | 'price' | 'location' | 'publishedAt']: NonNullable<Listing[Field]>
}

/** Whether a listing has every field that publication needs, and was published once. */
export const isComplete = (listing: Listing): listing is CompleteListing =>
  listing.title !== null &&
  listing.description !== null &&
  listing.price !== null &&
  listing.location !== null &&
  listing.publishedAt !== null

const PRICES_MAX = 20

/** Adds the price of a listing that was ever published to its price history, which holds the newest 20 prices. */
export function withPriceRecorded(seen: Listing, next: Listing, at: Timestamp): Listing {
  const { price } = next
  if (!price || !next.publishedAt) return next
  const history = seen.priceHistory
  const last = history.at(-1)?.price
  const isKnown = last?.amount === price.amount && last.currency === price.currency
  return { ...next, priceHistory: isKnown ? history : [...history, { price, at }].slice(-PRICES_MAX) }
}

/** Whether a listing has not changed since a move. What is dated after the move was then made while the move was being stored. */
export const isUnchangedSince = ({ updatedAt }: Pick<Listing, 'updatedAt'>, movedAt: Timestamp): boolean =>
  updatedAt === movedAt
