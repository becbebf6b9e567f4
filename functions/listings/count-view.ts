import { anyone } from '#lib/accounts/access'
import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { networkLimitFactor } from '#lib/accounts/throttle/throttle.dynamo'
import { hmacKeys } from '#lib/config/keys'
import { quotas } from '#lib/dynamo/quotas'
import { endpoint } from '#lib/http/endpoint'
import { clock } from '#lib/http/runtime'
import { ListingId } from '#lib/kernel/id'
import { listingReader } from '#lib/listings/listing-reader.dynamo'
import { countView } from '#lib/listings/statistics/count-view'
import { statistics } from '#lib/listings/statistics/statistics.dynamo'

export const { spec, handler } = endpoint({
  route: 'POST /listings/{id}/views',
  summary: 'Count that a public listing was looked at',
  description:
    'Counts once for a network and UTC day, and never for the listing’s owner or an administrator. Of one network at most ' +
    '300 views a day count. Of a network only an HMAC is stored, for 48 hours.',
  access: anyone({ administrators: ['moderation'] }),
  input: { params: { id: ListingId } },
  output: { 204: null },
  deps: {
    listings: listingReader,
    accounts: accountReader,
    statistics,
    quotas,
    hmacKeys,
    networkLimitFactor,
    now: clock,
  },
  run: ({ actor, params, request }, deps) => countView(deps, actor, request, params.id),
})
