import { user } from '#lib/accounts/access'
import { enquiryStore } from '#lib/enquiries/enquiry-store.dynamo'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { PaymentId } from '#lib/kernel/id'
import { listingStore } from '#lib/listings/listing-store.dynamo'
import { cancelPayment } from '#lib/payments/checkout/cancel-payment'
import { paymentStore } from '#lib/payments/payment-store.dynamo'
import { PaymentView } from '#lib/payments/payment-view'
import { paymentProviders } from '#lib/payments/provider/registry'
import { requestStore } from '#lib/payments/requests/request-store.dynamo'
import { holdStore } from '#lib/payments/reservations/hold-store.dynamo'

export const { spec, handler } = endpoint({
  route: 'POST /payments/{id}/cancel',
  summary: 'Give up a payment that is PENDING',
  description:
    'The checkout is withdrawn where the provider can. Money that comes all the same still counts: the payment then ' +
    'SUCCEEDS.',
  access: user,
  input: { params: { id: PaymentId } },
  output: { 200: PaymentView },
  problems: ['payment_transition_not_allowed'],
  deps: {
    payments: paymentStore,
    requests: requestStore,
    holds: holdStore,
    enquiries: enquiryStore,
    listings: listingStore,
    providers: paymentProviders,
    now: clock,
    newId: ids,
  },
  run: ({ actor, params }, deps) => cancelPayment(deps, actor.userId, params.id),
})
