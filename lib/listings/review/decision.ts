import * as z from 'zod'
import type { Timestamp } from '#lib/kernel/clock'
import { text } from '#lib/kernel/text'
import { type Listing, ListingStatus, ModerationReason, OWNER_NOT_VERIFIED } from '../listing.ts'
import { requireAllowedMove } from '../moves/transitions.ts'
import { goLive, isUndecidable, withoutRevision, withRevision } from '../revision.ts'

/** A moderator's decision. `message` is for the owner, `note` for administrators only. */
export const Moderation = z
  .object({
    status: ListingStatus.extract(['PUBLISHED', 'REJECTED', 'SUSPENDED']),
    reasons: z.array(ModerationReason).max(ModerationReason.options.length).nullish(),
    message: text({ max: 1000 }).nullish(),
    note: text({ max: 1000 }).nullish(),
  })
  .refine(
    ({ status, reasons, message }) => status === 'PUBLISHED' || (reasons ?? []).length > 0 || message != null,
    {
      path: ['reasons'],
      message: 'needs at least one reason, or a message, unless publishing',
    },
  )

export type Decision = z.infer<typeof Moderation>

/** Returns a decision's reasons, each once, and its message and note. */
export const motiveOf = ({ reasons, message, note }: Decision) => ({
  reasons: [...new Set(reasons)] as string[],
  message: message ?? null,
  note: note ?? null,
})

/** Returns the listing after a decision; null if it changes nothing. Throws `listing_transition_not_allowed`. */
export function decide(listing: Listing, decision: Decision, at: Timestamp): Listing | null {
  const decided = { ...listing, ...motiveOf(decision) }
  if (isAboutRevision(listing, decision)) {
    if (decision.status === 'REJECTED') return withoutRevision(decided)
    const submittedAt = listing.revision?.submittedAt ?? at
    // An undecidable revision holds only media whose bytes may not have arrived: publishing leaves all of them pending.
    return isUndecidable(listing) ? null : goLive(withRevision(decided), { submittedAt })
  }
  if (listing.status === decision.status) {
    // The service suspended the listing because its owner may not publish. A moderator's suspension replaces the
    // reason, so that the listing no longer returns automatically.
    return decision.status === 'SUSPENDED' && listing.reasons.includes(OWNER_NOT_VERIFIED) ? decided : null
  }
  requireAllowedMove(listing.status, decision.status)
  const moved = { ...decided, status: decision.status }
  if (decision.status === 'PUBLISHED') return goLive(moved, { submittedAt: at })
  // A rejected listing has no live version: its owner's pending changes become its fields.
  return decision.status === 'REJECTED' ? withRevision(moved) : moved
}

/** Whether a decision is about the pending revision of a published listing, and not about the listing itself. */
export const isAboutRevision = ({ status, revision }: Listing, decision: Pick<Decision, 'status'>): boolean =>
  status === 'PUBLISHED' && revision !== null && decision.status !== 'SUSPENDED'
