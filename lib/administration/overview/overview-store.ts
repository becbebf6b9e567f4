import type { Timestamp } from '#lib/kernel/clock'
import type { Page } from '#lib/kernel/page'
import type { Commit, Write } from '#lib/kernel/write'
import type { Counter, OverviewPart, Queue } from './parts.ts'

/** The part of the counters that comes from one subject; `revision` rises with every write. */
type OverviewShare = { parts: OverviewPart[]; revision: number }

/** The present value of a counter. `amount` is a sum in minor units; 0 for a counter that is not of payments. */
export type OverviewCount = { counter: Counter; count: number; amount: number }

/** Stores the overview: each counter, spread over sixteen rows, and the share of each subject in the counters. */
export type OverviewStore = {
  /** A consistent read of a subject's share; undefined for a subject that was never counted. */
  share: (subject: string) => Promise<OverviewShare | undefined>
  /** Replaces a subject's share by `parts`, in the counters too; a `WriteConflict` if `seen` has changed. */
  recount: (
    subject: string,
    seen: OverviewShare | undefined,
    parts: readonly OverviewPart[],
    now: Date,
  ) => Write[]
  /** The counters of days from `day` on and of all queues: a query for each of the sixteen rows. */
  counts: (day: string) => Promise<OverviewCount[]>
  /** Subjects in a queue, longest waiting first: four queries. */
  waiting: (
    queue: Queue,
    page: { limit: number; after: string | undefined },
  ) => Promise<Page<{ subject: string; since: Timestamp }, string>>
  commit: Commit
}

export type OverviewReader = Pick<OverviewStore, 'share' | 'counts' | 'waiting'>
