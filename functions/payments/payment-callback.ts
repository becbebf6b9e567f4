import { enquiryStore } from '#lib/enquiries/enquiry-store.dynamo'
import { callback } from '#lib/http/callback'
import { counter } from '#lib/http/count'
import { clock, ids } from '#lib/http/runtime'
import { listingStore } from '#lib/listings/listing-store.dynamo'
import { inbox } from '#lib/payments/callbacks/inbox.dynamo'
import { receiveNotification } from '#lib/payments/callbacks/receive-notification'
import { paymentStore } from '#lib/payments/payment-store.dynamo'
import { patience } from '#lib/payments/provider/patience.dynamo'
import { paymentProviders } from '#lib/payments/provider/registry'
import { requestStore } from '#lib/payments/requests/request-store.dynamo'
import { holdStore } from '#lib/payments/reservations/hold-store.dynamo'

export const { spec, handler } = callback({
  routes: [
    'POST /payments/callback/{provider}',
    'PUT /payments/callback/{provider}',
    'GET /payments/callback/{provider}',
  ],
  summary: 'Receive what a payment provider calls back',
  description:
    "The provider's own body and signature, checked over the bytes as they arrive; the answer is the one the " +
    'provider expects. The same event again changes nothing. A failure on our side answers 5xx, so that the ' +
    'provider sends it again. What a signature does not cover is read from the provider’s API before anything changes.',
  problems: ['invalid_signature', 'not_found'],
  deps: {
    payments: paymentStore,
    requests: requestStore,
    holds: holdStore,
    enquiries: enquiryStore,
    listings: listingStore,
    inbox,
    providers: paymentProviders,
    patience,
    count: counter,
    now: clock,
    newId: ids,
  },
  run: (request, deps) => receiveNotification(deps, request),
})
