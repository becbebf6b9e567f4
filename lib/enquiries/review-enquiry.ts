import * as z from 'zod'
import { type Journal, newAction } from '#lib/journal/journal'
import { DAY_SECONDS, secondsAfter } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import type { EnquiryId, NewId } from '#lib/kernel/id'
import { type Enquiry, EnquiryReport, Side } from './enquiry.ts'
import { EnquiryWithMessages, type MessagesQuery, type ReadDeps, withMessages } from './get-enquiry.ts'

/** The time for which administrators may read an enquiry after its reports were closed. */
const READABLE_SECONDS = 30 * DAY_SECONDS

/** A reported enquiry as administrators read it. */
export const ReviewedEnquiry = EnquiryWithMessages.extend({
  reports: z
    .array(EnquiryReport.extend({ from: Side }))
    .meta({ description: 'The newest report of each side, closed ones included' }),
}).meta({ id: 'ReviewedEnquiry' })

type Deps = ReadDeps & {
  journal: Journal
  newId: NewId
}

/**
 * Returns an enquiry with a page of its messages to an administrator. Throws `not_found` unless a report is open or was
 * closed in the last 30 days. The journal records the reading before anything is shown.
 */
export async function reviewEnquiry(
  deps: Deps,
  administrator: string,
  id: EnquiryId,
  query: z.infer<typeof MessagesQuery>,
): Promise<z.input<typeof ReviewedEnquiry>> {
  const enquiry = await deps.enquiries.get(id)
  if (!enquiry || !isReviewable(enquiry, deps.now())) throw new DomainError('not_found')
  const action = { by: administrator, subject: id, action: 'enquiry.viewed', details: {} } as const
  await deps.journal.commit([deps.journal.record(newAction(deps.newId, action))])
  const { customer, agent } = enquiry.reports
  return {
    ...(await withMessages(deps, enquiry, query)),
    reports: [
      ...(customer ? [{ ...customer, from: 'customer' as const }] : []),
      ...(agent ? [{ ...agent, from: 'agent' as const }] : []),
    ],
  }
}

const isReviewable = ({ reports }: Enquiry, now: Date): boolean =>
  [reports.customer, reports.agent].some(
    (report) =>
      report && (report.closedAt === null || secondsAfter(new Date(report.closedAt), READABLE_SECONDS) > now),
  )
