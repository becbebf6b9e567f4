import { administrator } from '#lib/accounts/access'
import { ClosedReports, closeReports, ReportsClosing } from '#lib/enquiries/close-reports'
import { enquiries } from '#lib/enquiries/enquiry-store.dynamo'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { journal } from '#lib/journal/journal.dynamo'
import { EnquiryId } from '#lib/kernel/id'

export const { spec, handler } = endpoint({
  route: 'PATCH /admin/enquiries/{id}/reports',
  summary: 'Close the reports of an enquiry',
  description:
    'Closes all open reports at once. `upTo` is the `lastAt` that the administrator read: a newer report makes it a 412. ' +
    'Without an open report the answer is 200 with a `closed` of 0.',
  access: administrator(['moderation']),
  input: { params: { id: EnquiryId }, body: ReportsClosing },
  output: { 200: ClosedReports },
  problems: ['version_conflict'],
  deps: { enquiries, journal, now: clock, newId: ids },
  run: ({ actor, params, body }, deps) => closeReports(deps, actor.subject, params.id, body),
})
