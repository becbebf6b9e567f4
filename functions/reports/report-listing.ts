import { anyone } from '#lib/accounts/access'
import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { networkLimitFactor } from '#lib/accounts/throttle/throttle.dynamo'
import { hmacKeys } from '#lib/config/keys'
import { quotas } from '#lib/dynamo/quotas'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { ListingId } from '#lib/kernel/id'
import { listingReader } from '#lib/listings/listing-reader.dynamo'
import { NewReport } from '#lib/reports/report'
import { reportListing } from '#lib/reports/report-listing'
import { reports } from '#lib/reports/report-store.dynamo'

export const { spec, handler } = endpoint({
  route: 'POST /listings/{id}/reports',
  summary: 'Report a listing to the moderators',
  description:
    'Anyone may report. While a report of a signed-in person is open, another one of theirs changes nothing. Without a token ' +
    'a network’s second report on the same UTC day changes nothing. Of a network only an HMAC is stored, for 48 hours. At ' +
    'most 10 reports in a clock hour.',
  access: anyone({ administrators: ['moderation'] }),
  input: { params: { id: ListingId }, body: NewReport },
  output: { 202: null },
  problems: ['too_many_requests'],
  deps: {
    reports,
    listings: listingReader,
    accounts: accountReader,
    quotas,
    hmacKeys,
    networkLimitFactor,
    now: clock,
    newId: ids,
  },
  run: ({ actor, params, request, body }, deps) => reportListing(deps, actor, request, params.id, body),
})
