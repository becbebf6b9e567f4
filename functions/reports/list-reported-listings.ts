import { administrator } from '#lib/accounts/access'
import { accountStore } from '#lib/accounts/account-store.dynamo'
import { cursors } from '#lib/dynamo/cursor'
import { endpoint } from '#lib/http/endpoint'
import { PageQuery, pageOf } from '#lib/kernel/page'
import { listingStore } from '#lib/listings/listing-store.dynamo'
import { mediaLinks } from '#lib/media/store/media-links.s3'
import { listReportedListings, ReportedListing } from '#lib/reports/list-reports'
import { reportStore } from '#lib/reports/report-store.dynamo'

export const { spec, handler } = endpoint({
  route: 'GET /admin/reports',
  summary: 'Listings with open reports, longest waiting first',
  access: administrator,
  input: { query: PageQuery },
  output: { 200: pageOf(ReportedListing) },
  problems: ['invalid_cursor'],
  deps: { reports: reportStore, listings: listingStore, accounts: accountStore, links: mediaLinks, cursors },
  run: ({ query }, deps) => listReportedListings(deps, query),
})
