import { user } from '#lib/accounts/access'
import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { apiKeys, roleFor } from '#lib/accounts/api-keys/access'
import { cursors } from '#lib/dynamo/cursor'
import { endpoint } from '#lib/http/endpoint'
import { clock } from '#lib/http/runtime'
import { pageOf } from '#lib/kernel/page'
import { listingReader } from '#lib/listings/listing-reader.dynamo'
import { publicMediaLinks } from '#lib/media/store/public-media-links'
import { listRequests, RequestQuery } from '#lib/payment-requests/list-requests'
import { requestReader } from '#lib/payment-requests/request-store.dynamo'
import { PaymentRequestView } from '#lib/payment-requests/request-view'

export const { spec, handler } = endpoint({
  route: 'GET /payment-requests',
  summary: "The caller's payment requests, newest first",
  description:
    'With `role=received` the requests that the caller received, with `role=sent` those that the caller sent as an owner.',
  access: user,
  apiKeys: apiKeys('payments:read'),
  input: { query: RequestQuery },
  output: { 200: pageOf(PaymentRequestView) },
  problems: ['invalid_cursor'],
  deps: {
    requests: requestReader,
    listings: listingReader,
    accounts: accountReader,
    links: publicMediaLinks,
    cursors,
    now: clock,
  },
  run: ({ actor, query }, deps) =>
    listRequests(deps, actor.userId, {
      ...query,
      role: roleFor(actor, query.role, { ofApiKey: 'sent', byDefault: 'received' }),
    }),
})
