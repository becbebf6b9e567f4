import * as z from 'zod'
import { Timestamp } from '#lib/kernel/clock'
import { ListingId, UserId } from '#lib/kernel/id'
import { Money } from '#lib/kernel/money'
import { MediaView, WaitingMediaView } from '#lib/listings/media/media'
import { CARD_FIELDS, ShownFields } from '../fields.ts'
import { Availability, ListingStatus, PricePoint } from '../listing.ts'
import { Location } from '../location.ts'

/** The pending changes of a listing, media included, for owner and administrators. Unchanged fields are absent. */
export const RevisionView = z.object({
  changes: ShownFields.partial().extend(WaitingMediaView.shape),
  submittedAt: Timestamp,
})
export type RevisionView = z.infer<typeof RevisionView>

/** The agent of a listing, as customers see them. */
export const ListingAgent = z.object({
  userId: UserId,
  displayName: z.string().meta({ example: 'Awa Koné' }),
  agency: z.string().nullable().meta({ example: 'Lagune Immobilier' }),
})
export type ListingAgent = z.infer<typeof ListingAgent>

/** The fields for every reader of a listing. */
const shared = {
  id: ListingId,
  status: ListingStatus,
  availability: Availability,
  agent: ListingAgent,
  ...ShownFields.shape,
  media: z.array(MediaView),
  priceHistory: z
    .array(PricePoint)
    .meta({ description: "Since the first publication, today's price last, at most 20" }),
  publishedAt: Timestamp.nullable().meta({ example: '2026-11-04T08:30:12.940Z' }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  distanceKm: z.number().nullable().meta({ description: 'Null except in a search with `near`' }),
}

/** A listing as its owner and administrators see it. */
export const ListingView = z
  .object({
    view: z.enum(['owner', 'administrator']),
    ...shared,
    reference: z.string().nullable().meta({
      description: 'The agent’s own name for the listing',
      example: 'ABJ-2041',
    }),
    // Reasons, message and note are those of the newest decision.
    reasons: z.array(z.string()).meta({ example: [] }),
    message: z.string().nullable(),
    note: z.string().nullable().optional().meta({ description: 'For administrators' }),
    revision: RevisionView.nullable().meta({ example: null }),
  })
  .meta({ id: 'Listing' })
export type ListingView = z.infer<typeof ListingView>

/** A listing as customers see it: every field that publication needs is there. */
export const PublishedListing = z
  .object({
    view: z.literal('public'),
    ...shared,
    title: z.string().meta({ example: 'Three-bedroom apartment in Cocody' }),
    description: z.string().meta({
      example: 'Third floor, two minutes from the lagoon, with a generator and a guarded car park.',
    }),
    price: Money,
    location: Location,
    publishedAt: Timestamp.meta({ example: '2026-11-04T08:30:12.940Z' }),
  })
  .meta({ id: 'PublishedListing' })
export type PublishedListing = z.infer<typeof PublishedListing>

/** The view of a listing that customers no longer see, for its payers. */
export const PaidForListing = z
  .object({
    view: z.literal('payer'),
    id: ListingId,
    status: ListingStatus,
    title: z.string().nullable(),
    agent: ListingAgent.nullable().meta({ description: 'Null once erased' }),
  })
  .meta({ id: 'PaidForListing' })
export type PaidForListing = z.infer<typeof PaidForListing>

/** The first picture of a listing, for cards. */
export const Cover = MediaView.pick({
  id: true,
  url: true,
  width: true,
  height: true,
  placeholder: true,
  variants: true,
}).meta({ id: 'Cover' })
export type Cover = z.infer<typeof Cover>

/** The fields of a card that are a listing's own. */
export const CardFields = PublishedListing.pick({
  id: true,
  ...CARD_FIELDS,
  availability: true,
  publishedAt: true,
})

/** A listing as a page of results shows it: enough for a card, without its description and its other media. */
export const ListingCard = CardFields.extend({
  view: z.literal('card'),
  agent: ListingAgent,
  location: Location.omit({ address: true }),
  cover: Cover.nullable().meta({ description: 'The first READY picture' }),
  mediaCount: z.int().meta({ description: 'READY media that the caller may see', example: 8 }),
  distanceKm: z.number().nullable().meta({ description: 'Null without `near`' }),
}).meta({ id: 'ListingCard' })
export type ListingCard = z.infer<typeof ListingCard>
