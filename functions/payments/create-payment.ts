import { user } from '#lib/accounts/access'
import { accountStore } from '#lib/accounts/account-store.dynamo'
import { counterStore } from '#lib/accounts/throttle/counters.dynamo'
import { claimed } from '#lib/dynamo/idempotency.dynamo'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { listingStore } from '#lib/listings/listing-store.dynamo'
import { inbox } from '#lib/payments/callbacks/inbox.dynamo'
import { createPayment, PaymentDraft } from '#lib/payments/checkout/create-payment'
import { paymentStore } from '#lib/payments/payment-store.dynamo'
import { PaymentView } from '#lib/payments/payment-view'
import { patience } from '#lib/payments/provider/patience.dynamo'
import { paymentProviders } from '#lib/payments/provider/registry'

export const { spec, handler } = endpoint({
  route: 'POST /payments',
  summary: 'Start a payment',
  description:
    'Answers with the page to pay on. If the provider does not answer, the payment stays PENDING and the same ' +
    '`Idempotency-Key` carries it on: the money is never asked for twice.',
  access: user,
  input: { body: PaymentDraft },
  output: { 201: PaymentView },
  problems: [
    ...['email_not_verified', 'listing_not_available', 'open_payment_limit_reached'],
    ...['payment_refused', 'too_many_requests', 'provider_unavailable'],
  ] as const,
  idempotency: claimed('payment'),
  deps: {
    payments: paymentStore,
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
