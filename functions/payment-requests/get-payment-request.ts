import { user } from '#lib/accounts/access'
import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { apiKeys, limitApiKeyToAgentSide } from '#lib/accounts/api-keys/access'
import { endpoint } from '#lib/http/endpoint'
import { clock } from '#lib/http/runtime'
import { PaymentRequestId } from '#lib/kernel/id'
import { listingReader } from '#lib/listings/listing-reader.dynamo'
import { publicMediaLinks } from '#lib/media/store/public-media-links'
import { getRequest } from '#lib/payment-requests/get-request'
import { requestReader } from '#lib/payment-requests/request-store.dynamo'
import { PaymentRequestView } from '#lib/payment-requests/request-view'

export const { spec, handler } = endpoint({
  route: 'GET /payment-requests/{id}',
  summary: 'A payment request',
  description: 'For its owner and its customer.',
  access: user,
  apiKeys: apiKeys('payments:read'),
  input: { params: { id: PaymentRequestId } },
  output: { 200: PaymentRequestView },
  deps: {
    requests: requestReader,
    listings: listingReader,
    accounts: accountReader,
    links: publicMediaLinks,
    now: clock,
  },
  run: ({ actor, params }, deps) => {
    const requests = limitApiKeyToAgentSide(actor, deps.requests, ({ ownerId }) => ownerId)
    return getRequest({ ...deps, requests }, actor.userId, params.id)
  },
})
