import * as z from 'zod'
import { type Journal, newAction } from '#lib/journal/journal'
import { type Clock, Moment, Timestamp, timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import { EnquiryId, type NewId } from '#lib/kernel/id'
import { retryConflicts } from '#lib/kernel/retry'
import { text } from '#lib/kernel/text'
import { type Enquiry, type EnquiryReport, ReportOutcome } from './enquiry.ts'
import { announceReportsClosed } from './enquiry-events.ts'
import type { EnquiryStore } from './enquiry-store.ts'
import { openReports } from './open-reports.ts'

/** A request to close the open reports of an enquiry. `upTo` is the `lastAt` that the administrator saw. */
export const ReportsClosing = z.object({
  outcome: ReportOutcome,
  upTo: Moment,
  note: text({ max: 1000 }).nullish(),
})
type Closing = z.infer<typeof ReportsClosing>

/** The result of closing reports. */
export const ClosedReports = z
  .object({ enquiryId: EnquiryId, outcome: ReportOutcome, closed: z.int(), at: Timestamp })
  .meta({ id: 'ClosedEnquiryReports' })

type Deps = {
  enquiries: EnquiryStore
  journal: Journal
  now: Clock
  newId: NewId
}

/**
 * Closes all open reports of an enquiry. Without open reports `closed` is 0. Throws `not_found` for an enquiry without
 * reports, and `version_conflict` for a report after `upTo`.
 */
export const closeReports = (
  deps: Deps,
  administrator: string,
  id: EnquiryId,
  { outcome, upTo, note = null }: Closing,
): Promise<z.infer<typeof ClosedReports>> =>
  retryConflicts(async () => {
    const { enquiries, journal, newId, now } = deps
    const enquiry = await enquiries.get(id)
    if (!enquiry || (!enquiry.reports.customer && !enquiry.reports.agent)) throw new DomainError('not_found')
    const open = openReports(enquiry)
    const at = timestamp(now())
    if (!open) return { enquiryId: id, outcome, closed: 0, at }
    if (open.lastAt > upTo) {
      throw new DomainError('version_conflict', { detail: `The newest report is of ${open.lastAt}` })
    }
    const next = withReportsClosed(enquiry, outcome, at)
    await enquiries.commit([
      ...enquiries.replace(enquiry, next),
      announceReportsClosed({ newId, enquiry: next, at }, outcome, open.count),
      journal.record(
        newAction(newId, {
          by: administrator,
          subject: id,
          action: 'reports.closed',
          details: { outcome, count: open.count, note },
        }),
      ),
    ])
    return { enquiryId: id, outcome, closed: open.count, at }
  })

function withReportsClosed(enquiry: Enquiry, outcome: ReportOutcome, closedAt: Timestamp): Enquiry {
  const close = (report: EnquiryReport | null): EnquiryReport | null =>
    report?.closedAt === null ? { ...report, outcome, closedAt } : report
  const { customer, agent } = enquiry.reports
  return {
    ...enquiry,
    reports: { customer: close(customer), agent: close(agent) },
    version: enquiry.version + 1,
  }
}
