import type { Timestamp } from '#lib/kernel/clock'
import type { UserId } from '#lib/kernel/id'
import { allPages, PAGE_SIZE } from '#lib/kernel/page'
import { inParallel } from '#lib/kernel/parallel'
import { retryConflicts } from '#lib/kernel/retry'
import { countReasons, isOpen, type Report, type ReportStore } from './report.ts'

type Deps = {
  reports: ReportStore
}

/**
 * Withdraws a person's reports that were made at certain times: open ones are removed and count no more, closed ones lose
 * their text and reporter. Safe to repeat.
 */
export async function withdrawReports(
  deps: Deps,
  userId: UserId,
  isDue: (madeAt: Timestamp) => boolean,
): Promise<void> {
  const reports = await deps.reports.byUser(userId)
  await inParallel(
    reports.filter(({ at }) => isDue(at)),
    (report) => withdraw(deps, report),
  )
}

const withdraw = ({ reports }: Deps, report: Report): Promise<void> =>
  retryConflicts(async () => {
    const seen = await reports.get(report.listingId)
    if (!seen?.firstAt || !isOpen(seen, report.at)) return reports.commit([reports.anonymize(report)])
    const { listingId, firstAt, lastAt } = seen
    const open = await allPages((after: Timestamp | undefined) =>
      reports.between(listingId, firstAt, lastAt, { limit: PAGE_SIZE, after }),
    )
    const left = open.filter(({ at }) => at !== report.at)
    const next = {
      ...seen,
      count: left.length,
      reasons: countReasons(left),
      firstAt: left.at(-1)?.at ?? null,
      version: seen.version + 1,
    }
    await reports.commit([...reports.replace(seen, next), ...reports.remove(report)])
  })
