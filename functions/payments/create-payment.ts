import { user } from '#lib/accounts/access'
import { accountStore } from '#lib/accounts/account-store.dynamo'
import { claimed } from '#lib/dynamo/idempotency.dynamo'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { listingStore } from '#lib/listings/listing-store.dynamo'
import { inbox } from '#lib/payments/callbacks/inbox.dynamo'
import { createPayment, PaymentDraft } from '#lib/payments/checkout/create-payment'
import { paymentStore } from '#lib/payments/payment-store.dynamo'
import { PaymentView } from '#lib/payments/payment-view'
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
  problems: ['provider_unavailable'],
  idempotency: claimed('payment'),
  deps: {
    payments: paymentStore,
    inbox,
    providers: paymentProviders,
    listings: listingStore,
    accounts: accountStore,
    now: clock,
    newId: ids,
  },
  run: ({ actor, body }, deps) => createPayment(deps, actor.account, body, deps.once),
})
