import * as z from 'zod'
import { Timestamp } from '#lib/kernel/clock'
import { ListingId, SearchEntryId, UserId } from '#lib/kernel/id'
import { Media } from '#lib/listings/media/media'
import { ShownFields, StoredFields } from './fields.ts'

export const ListingStatus = z
  .enum(['DRAFT', 'PENDING_REVIEW', 'PUBLISHED', 'REJECTED', 'SUSPENDED', 'ARCHIVED'])
  .meta({ id: 'ListingStatus' })
export type ListingStatus = z.infer<typeof ListingStatus>

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

/** The reason of a suspension that the owner's standing caused, and that ends with it. */
export const OWNER_NOT_VERIFIED = 'owner_not_verified'

/** Changed fields of a live listing, pending until a moderator decides. Pending media are marked in `Listing.media`. */
export const Revision = z.object({ changes: ShownFields.partial(), submittedAt: Timestamp })
export type Revision = z.infer<typeof Revision>

/** A listing's one record with its media: a page is one read, and every change has one version. */
export const Listing = StoredFields.extend({
  id: ListingId,
  agentId: UserId,
  status: ListingStatus,
  media: z.array(Media),
  /** The reasons of the newest decision: a moderator's codes, or `owner_not_verified`. */
  reasons: z.array(z.string()),
  message: z.string().nullable(),
  note: z.string().nullable(),
  revision: Revision.nullable(),
  /** The id under which the valid search entries were written. Entries under another id are out of date. */
  indexedAs: SearchEntryId.nullable(),
  /** Rises with every change; the strong `ETag`. */
  version: z.int(),
  submittedAt: Timestamp.nullable(),
  publishedAt: Timestamp.nullable(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type Listing = z.infer<typeof Listing>
