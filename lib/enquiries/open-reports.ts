import * as z from 'zod'
import { Timestamp } from '#lib/kernel/clock'
import { type Enquiry, EnquiryReportReason } from './enquiry.ts'

/** The open reports of an enquiry, summed up. */
export const OpenReports = z.object({
  count: z.int().meta({ example: 2 }),
  reasons: z.partialRecord(EnquiryReportReason, z.int()),
  firstAt: Timestamp,
  lastAt: Timestamp,
})
export type OpenReports = z.infer<typeof OpenReports>

/** Sums up the open reports of an enquiry; undefined where no report is open. */
export function openReports({ reports }: Enquiry): OpenReports | undefined {
  const open = [reports.customer, reports.agent].flatMap((report) =>
    report?.closedAt === null ? [report] : [],
  )
  const times = open.map(({ at }) => at).sort()
  const [firstAt, lastAt] = [times[0], times.at(-1)]
  if (firstAt === undefined || lastAt === undefined) return undefined
  const reasons: OpenReports['reasons'] = {}
  for (const { reason } of open) reasons[reason] = (reasons[reason] ?? 0) + 1
  return { count: open.length, reasons, firstAt, lastAt }
}
