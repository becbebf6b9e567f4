import * as z from 'zod'
import { announce } from '#lib/events/event'
import { type Journal, newAction } from '#lib/journal/journal'
import { type Clock, Moment, Timestamp, timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import { ListingId, type NewId } from '#lib/kernel/id'
import { allPages, PAGE_SIZE } from '#lib/kernel/page'
import { retryConflicts } from '#lib/kernel/retry'
import { text } from '#lib/kernel/text'
import type { Write } from '#lib/kernel/write'
import { isUnchangedSince } from '#lib/listings/listing'
import type { ListingMove, ListingReader } from '#lib/listings/listing-store'
import {
  countReasons,
  type Report,
  type Reported,
  type ReportReader,
  type ReportStore,
  ReportsOutcome,
} from './report.ts'

/** A request to close the open reports of a listing. `upTo` is the `lastAt` that the administrator saw. */
export const ListingReportsClosing = z.object({
  outcome: ReportsOutcome,
  upTo: Moment,
  note: text({ max: 1000 }).nullish(),
})

/** The result of closing reports. */
export const ClosedListingReports = z
  .object({ listingId: ListingId, outcome: ReportsOutcome, closed: z.int(), at: Timestamp })
  .meta({ id: 'ClosedListingReports' })

type Deps = { reports: ReportStore; now: Clock; newId: NewId }

type FollowDeps = Deps & { reports: ReportReader; listings: ListingReader }

/** The number of closings that are kept. Each serves to find its reporters, who are notified within minutes. */
const CLOSINGS_MAX = 50

/**
 * Closes all open reports of a listing; without open reports it changes nothing. Throws `not_found` for a listing
 * without reports, and `version_conflict` for a report after `upTo`.
 */
export const closeListingReports = (
  deps: Deps & { journal: Journal },
  administrator: string,
  id: ListingId,
  { outcome, upTo, note = null }: z.infer<typeof ListingReportsClosing>,
): Promise<z.infer<typeof ClosedListingReports>> =>
  retryConflicts(async () => {
    const { reports, journal, newId, now } = deps
    const seen = await reports.get(id)
    if (!seen) throw new DomainError('not_found')
    const at = timestamp(now())
    if (seen.firstAt === null) return { listingId: id, outcome, closed: 0, at }
    if (seen.lastAt > upTo) {
      throw new DomainError('version_conflict', { detail: `The newest report is of ${seen.lastAt}` })
    }
    const details = { outcome, count: seen.count, note }
    await reports.commit([
      ...closingWrites(deps, seen, { at, from: seen.firstAt, outcome }),
      journal.record(newAction(newId, { by: administrator, subject: id, action: 'reports.closed', details })),
    ])
    return { listingId: id, outcome, closed: seen.count, at }
  })

/**
 * Closes the reports of a listing after its move: as ACTED if a moderator suspended or rejected it, without an outcome
 * if it was archived. Safe to repeat.
 */
export async function followModeration(
  deps: FollowDeps,
  id: ListingId,
  { field, from, to, by, at }: Pick<ListingMove, 'field' | 'from' | 'to' | 'by' | 'at'>,
): Promise<void> {
  // A moderator's suspension may replace the service's own. Any other move within a status is about a revision.
  if (field !== 'status' || (from === to && to !== 'SUSPENDED')) return
  if (to === 'ARCHIVED') return closeBefore(deps, id, null, at)
  if ((to === 'SUSPENDED' || to === 'REJECTED') && by !== 'system') return closeBefore(deps, id, 'ACTED', at)
}

/** Closes the open reports that were made before the move: a late or repeated delivery leaves newer ones open. */
const closeBefore = (
  deps: FollowDeps,
  id: ListingId,
  outcome: ReportsOutcome | null,
  movedAt: Timestamp,
): Promise<void> =>
  retryConflicts(async () => {
    const seen = await deps.reports.get(id)
    if (!seen?.firstAt || seen.firstAt > movedAt) return
    const later = await reportsAfter(deps, seen, movedAt)
    const at = timestamp(deps.now())
    await deps.reports.commit(closingWrites(deps, seen, { at, from: seen.firstAt, outcome }, later))
  })

/** Returns the reports that were made after a move, newest first; none while the listing is as the move left it. */
async function reportsAfter(
  { reports, listings }: FollowDeps,
  { listingId, lastAt }: Reported,
  movedAt: Timestamp,
): Promise<Report[]> {
  if (lastAt <= movedAt) return []
  const listing = await listings.get(listingId)
  if (listing && isUnchangedSince(listing, movedAt)) return []
  const from = timestamp(new Date(Date.parse(movedAt) + 1))
  return allPages((after: Timestamp | undefined) =>
    reports.between(listingId, from, lastAt, { limit: PAGE_SIZE, after }),
  )
}

/** Returns the writes that close the open reports except `later`, the newest of them, newest first. */
function closingWrites(
  { reports, newId }: Deps,
  seen: Reported,
  { at, from, outcome }: Omit<Reported['closings'][number], 'upTo'>,
  later: readonly Report[] = [],
): Write[] {
  const { listingId: subject, lastAt } = seen
  const firstLater = later.at(-1)?.at ?? null
  const upTo = firstLater === null ? lastAt : timestamp(new Date(Date.parse(firstLater) - 1))
  const count = seen.count - later.length
  const next: Reported = {
    ...seen,
    count: later.length,
    reasons: countReasons(later),
    firstAt: firstLater,
    closings: [...seen.closings, { at, from, upTo, outcome }].slice(-CLOSINGS_MAX),
    version: seen.version + 1,
  }
  return [
    ...reports.replace(seen, next),
    announce({ id: newId('event'), type: 'reports.closed', subject, at, data: { outcome, count } }),
  ]
}
