import * as z from 'zod'
import { Timestamp } from '#lib/kernel/clock'
import { ListingId, UserId } from '#lib/kernel/id'
import type { Page } from '#lib/kernel/page'
import { text } from '#lib/kernel/text'
import type { Commit, Write } from '#lib/kernel/write'
import { ModerationReason } from '#lib/listings/listing'

/** What somebody reports of a listing. */
export const NewReport = z.object({ reason: ModerationReason, text: text({ max: 1000 }).nullish() })

/** How reports were closed; null by the listing's archiving. */
export const ReportsOutcome = z.enum(['DISMISSED', 'ACTED'])
export type ReportsOutcome = z.infer<typeof ReportsOutcome>

/** One report of a listing. */
export const Report = z.object({
  listingId: ListingId,
  /** Unlike that of every other report of the listing, and later than those before it. */
  at: Timestamp,
  reason: z.string(),
  text: z.string().nullable(),
  /** Null for a report without a user's token, and once the account has ended. */
  by: UserId.nullable(),
})
export type Report = z.infer<typeof Report>

/** That the reports of a stretch of time were closed. */
const Closing = z.object({
  at: Timestamp,
  from: Timestamp,
  upTo: Timestamp,
  outcome: ReportsOutcome.nullable(),
})

/** What the reports of a listing come to: the open ones summed up, and how the others were closed. */
export const Reported = z.object({
  listingId: ListingId,
  /** How many are open, and how many for each reason. */
  count: z.int(),
  reasons: z.record(z.string(), z.int()),
  /** Of the open reports; null where none is. */
  firstAt: Timestamp.nullable(),
  /** Of all reports. */
  lastAt: Timestamp,
  /** The newest last, at most fifty. */
  closings: z.array(Closing),
  version: z.int(),
})
export type Reported = z.infer<typeof Reported>

/** Who reports: `mark` tells two reporters apart. A network's mark is an HMAC and stands for one UTC day. */
export type Reporter = { mark: string; userId: UserId | null; isNetwork: boolean }

/** Where reports of listings are stored. Reads are consistent; writes are values for `commit`. */
export type ReportStore = {
  get: (id: ListingId) => Promise<Reported | undefined>
  /** The time of a reporter's last report of a listing. */
  lastBy: (id: ListingId, reporter: Reporter) => Promise<Timestamp | undefined>
  /**
   * A report of an agent's listing, its sum and its reporter's mark; a `WriteConflict` where somebody wrote the sum, or
   * the reporter reported again, meanwhile. `lastAt` is the reporter's last report that was seen.
   */
  add: (
    seen: Reported | undefined,
    next: Reported,
    report: Report & { agentId: UserId },
    reporter: Reporter & { lastAt: Timestamp | undefined },
  ) => Write[]
  /** Replaces the sum that was seen. */
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
  /** What is reported of these listings, in no particular order. */
  getMany: (ids: readonly ListingId[]) => Promise<Reported[]>
  /** Every report of a person. */
  byUser: (id: UserId) => Promise<Report[]>
  /** How many reports a person made and how many their listings have, each counted up to `limit`: two queries. */
  countOf: (id: UserId, limit: number) => Promise<number>
  /** Takes the words and the reporter out of a report. */
  anonymize: (report: Report) => Write
  commit: Commit
}
