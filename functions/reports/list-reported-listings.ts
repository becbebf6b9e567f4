import { administrator } from '#lib/accounts/access'
import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { cursors } from '#lib/dynamo/cursor'
import { endpoint } from '#lib/http/endpoint'
import { PageQuery, pageOf } from '#lib/kernel/page'
import { listingReader } from '#lib/listings/listing-reader.dynamo'
import { mediaLinks } from '#lib/media/store/media-links.s3'
import { listReportedListings, ReportedListing } from '#lib/reports/list-reports'
import { reportReader } from '#lib/reports/report-store.dynamo'

export const { spec, handler } = endpoint({
  route: 'GET /admin/reports',
  summary: 'Listings with open reports, longest waiting first',
  description:
    '`count` and `reasons` cover open reports only. To close these reports, send `lastAt` as `upTo` to `PATCH ' +
    '/admin/reports/{listingId}`.',
  access: administrator(['moderation']),
  input: { query: PageQuery },
  output: { 200: pageOf(ReportedListing) },
  problems: ['invalid_cursor'],
  deps: {
    reports: reportReader,
    listings: listingReader,
    accounts: accountReader,
    links: mediaLinks,
    cursors,
  },
  run: ({ query }, deps) => listReportedListings(deps, query),
})
