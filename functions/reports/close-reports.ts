import { administrator } from '#lib/accounts/access'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { journal } from '#lib/journal/journal.dynamo'
import { ListingId } from '#lib/kernel/id'
import { ClosedListingReports, closeListingReports, ListingReportsClosing } from '#lib/reports/close-reports'
import { reports } from '#lib/reports/report-store.dynamo'

export const { spec, handler } = endpoint({
  route: 'PATCH /admin/reports/{listingId}',
  summary: 'Close the reports of a listing',
  description:
    'Closes all open reports at once. `upTo` is the `lastAt` that the administrator read: a newer report makes it a 412. ' +
    'Without an open report the answer is 200 with a `closed` of 0. Signed-in reporters are notified if the outcome is ACTED.',
  access: administrator(['moderation']),
  input: { params: { listingId: ListingId }, body: ListingReportsClosing },
  output: { 200: ClosedListingReports },
  problems: ['version_conflict', 'not_found'],
  deps: { reports, journal, now: clock, newId: ids },
  run: ({ actor, params, body }, deps) => closeListingReports(deps, actor.subject, params.listingId, body),
})
