import { user } from '#lib/accounts/access'
import { accountStore } from '#lib/accounts/account-store.dynamo'
import { counterStore } from '#lib/accounts/throttle/counters.dynamo'
import { claimed } from '#lib/dynamo/idempotency.dynamo'
import { enquiryStore } from '#lib/enquiries/enquiry-store.dynamo'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { listingStore } from '#lib/listings/listing-store.dynamo'
import { inbox } from '#lib/payments/callbacks/inbox.dynamo'
import { createPayment } from '#lib/payments/checkout/create-payment'
import { PAYMENT_REFUSALS, PaymentDraft } from '#lib/payments/checkout/payment-draft'
import { paymentStore } from '#lib/payments/payment-store.dynamo'
import { PaymentView } from '#lib/payments/payment-view'
import { patience } from '#lib/payments/provider/patience.dynamo'
import { paymentProviders } from '#lib/payments/provider/registry'
import { requestStore } from '#lib/payments/requests/request-store.dynamo'
import { holdStore } from '#lib/payments/reservations/hold-store.dynamo'

export const { spec, handler } = endpoint({
  route: 'POST /payments',
  summary: 'Start a payment',
  description:
    'Answers with the page to pay on. If the provider does not answer, the payment stays PENDING; the same `Idempotency-Key` ' +
    'carries it on, or answers what became of it: nothing is asked for twice. A requested deposit holds its listing.',
  access: user,
  input: { body: PaymentDraft },
  output: { 201: PaymentView },
  problems: PAYMENT_REFUSALS,
  idempotency: claimed('payment'),
  deps: {
    payments: paymentStore,
    requests: requestStore,
    holds: holdStore,
    enquiries: enquiryStore,
    inbox,
    providers: paymentProviders,
    patience,
    prompts: counterStore,
    listings: listingStore,
    accounts: accountStore,
    now: clock,
    newId: ids,
  },
  run: ({ actor, body }, deps) => createPayment(deps, actor.account, body, deps.once),
})
