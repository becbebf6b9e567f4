import * as z from 'zod'
import type { Account } from '#lib/accounts/account'
import type { Clock } from '#lib/kernel/clock'
import { ListingId } from '#lib/kernel/id'
import { Currency } from '#lib/kernel/money'
import { type Listing, ListingStatus } from '#lib/listings/listing'
import { viewCover } from '#lib/listings/media/view-media'
import { isPublic } from '#lib/listings/read-listing'
import { Cover } from '#lib/listings/views/listing-view'
import type { PublicMediaLinks } from '#lib/media/store/media-links'

/** A listing as an enquiry or a payment request shows it: enough to recognise it. */
export const ListingSummary = z
  .object({
    id: ListingId,
    title: z.string().nullable().meta({ example: 'Three-bedroom apartment in Cocody' }),
    status: ListingStatus,
    currency: Currency.nullable().meta({ description: 'That of its price; null without one' }),
    cover: Cover.nullable().meta({
      description: 'The first picture that is ready; null while the listing is not public',
    }),
  })
  .meta({ id: 'ListingSummary' })
export type ListingSummary = z.infer<typeof ListingSummary>

export type SummaryDeps = { links: PublicMediaLinks; now: Clock }

/** Returns the summary of a listing. A missing listing counts as archived; without its owner it has no cover. */
export async function summaryOf(
  { links, now }: SummaryDeps,
  id: ListingId,
  listing: Listing | undefined,
  owner: Account | undefined,
): Promise<ListingSummary> {
  if (!listing) return { id, title: null, status: 'ARCHIVED', currency: null, cover: null }
  const { title, status, price } = listing
  const cover = isPublic(listing, owner, now) ? viewCover(listing, links) : null
  return { id, title, status, currency: price?.currency ?? null, cover }
}
