import { administrator } from '#lib/accounts/access'
import { cursors } from '#lib/dynamo/cursor'
import { endpoint } from '#lib/http/endpoint'
import { ListingId } from '#lib/kernel/id'
import { PageQuery, pageOf } from '#lib/kernel/page'
import { listReports, ReportView } from '#lib/reports/list-reports'
import { reportReader } from '#lib/reports/report-store.dynamo'

export const { spec, handler } = endpoint({
  route: 'GET /admin/reports/{listingId}',
  summary: 'The open reports of a listing, newest first',
  description:
    'Reporters are not named. To close the reports, send the time of the newest one that was read as `upTo` to `PATCH ' +
    '/admin/reports/{listingId}`.',
  access: administrator(['moderation']),
  input: { params: { listingId: ListingId }, query: PageQuery },
  output: { 200: pageOf(ReportView) },
  problems: ['invalid_cursor', 'not_found'],
  deps: { reports: reportReader, cursors },
  run: ({ params, query }, deps) => listReports(deps, params.listingId, query),
})
