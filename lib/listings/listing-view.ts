import * as z from 'zod'
import { Timestamp } from '#lib/kernel/clock'
import { ListingId, UserId } from '#lib/kernel/id'
import { MediaView, WaitingMediaView } from '#lib/listings/media/media'
import { ShownFields } from './fields.ts'
import { ListingStatus } from './listing.ts'

/** The pending changes of a listing, media included, for owner and administrators: only what changes is there. */
export const RevisionView = z.object({
  changes: ShownFields.partial().extend(WaitingMediaView.shape),
  submittedAt: Timestamp,
})
export type RevisionView = z.infer<typeof RevisionView>

/** The agent of a listing, as customers see them. */
export const ListingAgent = z.object({
  userId: UserId,
  displayName: z.string(),
  agency: z.string().nullable(),
})

/** A listing as its reader sees it. */
export const ListingView = z
  .object({
    id: ListingId,
    status: ListingStatus,
    agent: ListingAgent,
    ...ShownFields.shape,
    media: z.array(MediaView),
    publishedAt: Timestamp.nullable(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    reasons: z.array(z.string()).optional().meta({ description: 'For owner and administrators' }),
    message: z.string().nullable().optional().meta({ description: 'For owner and administrators' }),
    note: z.string().nullable().optional().meta({ description: 'For administrators' }),
    revision: RevisionView.nullable().optional().meta({ description: 'For owner and administrators' }),
  })
  .meta({ id: 'Listing' })
export type ListingView = z.infer<typeof ListingView>
