import * as z from 'zod'
import { Timestamp } from '#lib/kernel/clock'
import { ListingId, UserId } from '#lib/kernel/id'
import type { Page } from '#lib/kernel/page'
import { text } from '#lib/kernel/text'
import type { Commit, Write } from '#lib/kernel/write'
import { ModerationReason } from '#lib/listings/listing'

/** A report of a listing. */
export const NewReport = z.object({ reason: ModerationReason, text: text({ max: 1000 }).nullish() })

/** The moderator's conclusion from reports: DISMISSED without consequences, ACTED with some. */
export const ReportsOutcome = z.enum(['DISMISSED', 'ACTED'])
export type ReportsOutcome = z.infer<typeof ReportsOutcome>

/** One report of a listing. */
export const Report = z.object({
  listingId: ListingId,
  /** Later than the times of all earlier reports of the listing. */
  at: Timestamp,
  reason: z.string().meta({ example: 'duplicate' }),
  text: z.string().nullable(),
  /** Null for a report without a user's token, and once the account has ended. */
  by: UserId.nullable(),
})
export type Report = z.infer<typeof Report>

/** A closing of the reports between two times. The outcome is null if the listing was archived. */
const Closing = z.object({
  at: Timestamp,
  from: Timestamp,
  upTo: Timestamp,
  outcome: ReportsOutcome.nullable(),
})

/** The summary of a listing's reports: the open ones, and the outcomes of the closed ones. */
export const Reported = z.object({
  listingId: ListingId,
  /** The number of open reports, and the number for each reason. */
  count: z.int(),
  reasons: z.record(z.string(), z.int()),
  /** The time of the oldest open report; null without one. */
  firstAt: Timestamp.nullable(),
  /** The time of the newest report, open or closed. */
  lastAt: Timestamp,
  /** The newest last, at most fifty. */
  closings: z.array(Closing),
  version: z.int(),
})
export type Reported = z.infer<typeof Reported>

/** Counts reports by their reasons. */
export const countReasons = (reports: readonly Report[]): Reported['reasons'] =>
  Object.fromEntries(
    [...Map.groupBy(reports, ({ reason }) => reason)].map(([reason, { length }]) => [reason, length]),
  )

/** Whether a report of this time is open: `firstAt` is the time of the oldest open report, null without one. */
export const isOpen = (seen: Reported | undefined, at: Timestamp): boolean => {
  const firstAt = seen?.firstAt ?? null
  return firstAt !== null && at >= firstAt
}

/** The reporter: `mark` differs between two reporters. A network's mark is an HMAC and stands for one UTC day. */
export type Reporter = { mark: string; userId: UserId | null; isNetwork: boolean }

/** Stores reports of listings. Reads are consistent; writes are values for `commit`. */
export type ReportStore = {
  get: (id: ListingId) => Promise<Reported | undefined>
  /** The time of a reporter's last report of a listing. */
  lastBy: (id: ListingId, reporter: Reporter) => Promise<Timestamp | undefined>
  /**
   * Stores a report of an agent's listing, the listing's summary and the reporter's mark; a `WriteConflict` if the
   * summary changed or the reporter reported again meanwhile. `lastAt` is the time of the reporter's last report that
   * was seen.
   */
  add: (
    seen: Reported | undefined,
    next: Reported,
    report: Report & { agentId: UserId },
    reporter: Reporter & { lastAt: Timestamp | undefined },
  ) => Write[]
  /** Replaces a summary; a `WriteConflict` if its version is not the seen one. */
  replace: (seen: Reported, next: Reported) => Write[]
  /** Reports of a listing between two times, both included, newest first: one query. */
  between: (
    id: ListingId,
    from: Timestamp,
    to: Timestamp,
    page: { limit: number; after: Timestamp | undefined },
  ) => Promise<Page<Report, Timestamp>>
  /** Listings with open reports, longest waiting first: a query for each shard of the list, and one read. */
  open: (page: { limit: number; after: string | undefined }) => Promise<Page<Reported, string>>
  /** Returns the summaries of these listings, in no particular order. */
  getMany: (ids: readonly ListingId[]) => Promise<Reported[]>
  /** Every report of a person. */
  byUser: (id: UserId) => Promise<Report[]>
  /** Counts the reports that a person made and those of their listings, each up to `limit`: two queries. */
  countOf: (id: UserId, limit: number) => Promise<number>
  /** Removes a report, and the mark of the person who made it. */
  remove: (report: Report) => Write[]
  /** Removes the text and the reporter from a report. */
  anonymize: (report: Report) => Write
  commit: Commit
}

export type ReportReader = Pick<
  ReportStore,
  'get' | 'getMany' | 'lastBy' | 'between' | 'open' | 'byUser' | 'countOf'
>
