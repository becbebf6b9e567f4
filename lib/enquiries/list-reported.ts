import * as z from 'zod'
import { type Journal, newListAction } from '#lib/journal/journal'
import type { Cursors } from '#lib/kernel/cursor'
import type { NewId } from '#lib/kernel/id'
import { answerPage, type PageQuery } from '#lib/kernel/page'
import type { EnquiryReader } from './enquiry-store.ts'
import { EnquiryView, type ViewDeps, viewEnquiries } from './enquiry-view.ts'
import { OpenReports, openReports } from './open-reports.ts'

/** An enquiry with open reports, as administrators list it: without its messages. */
export const ReportedEnquiry = OpenReports.extend({ enquiry: EnquiryView }).meta({ id: 'ReportedEnquiry' })

type Deps = ViewDeps & {
  enquiries: EnquiryReader
  cursors: Cursors
  journal: Journal
  newId: NewId
}

/** Lists enquiries with open reports, longest waiting first. The journal records who saw them. */
export async function listReported(deps: Deps, administrator: string, query: z.infer<typeof PageQuery>) {
  const { limit, cursor } = query
  const list = { list: 'reported-enquiries', filters: {}, position: z.string() }
  const page = await answerPage(deps.cursors, list, cursor, async (after) => {
    const { items, next } = await deps.enquiries.reported({ limit, after })
    const views = await viewEnquiries(deps, items)
    const shown = items.flatMap((enquiry, place) => {
      const [reports, view] = [openReports(enquiry), views[place]]
      return reports && view ? [{ ...reports, enquiry: view }] : []
    })
    return { items: shown, next }
  })
  const action = { by: administrator, subject: 'enquiries', action: 'enquiries.listed' } as const
  const ids = page.items.map(({ enquiry }) => enquiry.id)
  await deps.journal.commit([deps.journal.record(newListAction(deps.newId, action, query, ids))])
  return page
}
