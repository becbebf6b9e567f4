import type { Timestamp } from '#lib/kernel/clock'
import type { Page } from '#lib/kernel/page'
import type { Commit, Write } from '#lib/kernel/write'
import type { Counter, Part, Queue } from './share.ts'

/** What a subject adds to the counters, as it was counted last; `revision` counts the writes. */
export type Share = { parts: Part[]; revision: number }

/** What a counter has come to. */
export type Count = { counter: Counter; count: number; amount: number }

/** Where the overview is counted: each counter in four rows, beside what each subject has added to them. */
export type OverviewStore = {
  /** What was counted of a subject; undefined where nothing was. Consistent. */
  share: (subject: string) => Promise<Share | undefined>
  /** Counts the difference between what was counted and what a subject adds now; a `WriteConflict` if that has changed. */
  recount: (subject: string, seen: Share | undefined, parts: readonly Part[], now: Date) => Write[]
  /** The counters of days from `day` on, and of what waits now: a query for each of the four rows. */
  counts: (day: string) => Promise<Count[]>
  /** Subjects in a queue, longest waiting first: four queries. The position is since when, and who. */
  waiting: (
    queue: Queue,
    page: { limit: number; after: string | undefined },
  ) => Promise<Page<{ subject: string; since: Timestamp }, string>>
  commit: Commit
}
