import * as z from 'zod'
import type { Cursors } from '#lib/kernel/cursor'
import { answerPage, type PageQuery } from '#lib/kernel/page'
import type { EnquiryStore } from './enquiry-store.ts'
import { EnquiryView, type ViewDeps, viewEnquiries } from './enquiry-view.ts'
import { OpenReports, openReports } from './open-reports.ts'

/** An enquiry with open reports, as administrators list it: without its messages. */
export const ReportedEnquiry = OpenReports.extend({ enquiry: EnquiryView }).meta({ id: 'ReportedEnquiry' })

type Deps = ViewDeps & { enquiries: Pick<EnquiryStore, 'reported'>; cursors: Cursors }

/** Enquiries with open reports, longest waiting first. */
export function listReported(deps: Deps, { limit, cursor }: z.infer<typeof PageQuery>) {
  const list = { list: 'reported-enquiries', filters: {}, position: z.string() }
  return answerPage(deps.cursors, list, cursor, async (after) => {
    const { items, next } = await deps.enquiries.reported({ limit, after })
    const views = await viewEnquiries(deps, items)
    const shown = items.flatMap((enquiry, place) => {
      const [reports, view] = [openReports(enquiry), views[place]]
      return reports && view ? [{ ...reports, enquiry: view }] : []
    })
    return { items: shown, next }
  })
}
