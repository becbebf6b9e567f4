import { userOrAdministrator } from '#lib/accounts/access'
import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { apiKeys } from '#lib/accounts/api-keys/access'
import { endpoint } from '#lib/http/endpoint'
import { clock } from '#lib/http/runtime'
import { ListingId } from '#lib/kernel/id'
import { listingReader } from '#lib/listings/listing-reader.dynamo'
import { getStatistics, StatisticsQuery, StatisticsView } from '#lib/listings/statistics/get-statistics'
import { statisticsReader } from '#lib/listings/statistics/statistics.dynamo'

export const { spec, handler } = endpoint({
  route: 'GET /listings/{id}/statistics',
  summary: 'How often a listing was viewed, saved and asked about',
  description:
    'By UTC day, days without any included. Without `from` and `to` the 30 days up to today; with one of them the 30 days ' +
    'that begin or end there; with both at most 90 days. Saving a listing again counts again.',
  access: userOrAdministrator(['moderation']),
  apiKeys: apiKeys('listings:read'),
  input: { params: { id: ListingId }, query: StatisticsQuery },
  output: { 200: StatisticsView },
  problems: ['forbidden'],
  deps: { listings: listingReader, accounts: accountReader, statistics: statisticsReader, now: clock },
  run: ({ actor, params, query }, deps) => getStatistics(deps, actor, params.id, query),
})
