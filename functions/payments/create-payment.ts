import { accountStore } from '#lib/accounts/account-store.dynamo'
import { idempotencyStore } from '#lib/dynamo/idempotency.dynamo'
import { user } from '#lib/http/access'
import { endpoint } from '#lib/http/endpoint'
import { claimed } from '#lib/http/idempotency'
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
    idempotency: idempotencyStore,
    now: clock,
    newId: ids,
  },
  run: async ({ actor, body, claim, receipt }, deps) => {
    const reply = (payment: PaymentView) => ({ status: 201 as const, body: payment })
    const kept = { ...claim, receipt: (payment: PaymentView) => receipt(reply(payment)) }
    return reply(await createPayment(deps, actor.account, body, kept))
  },
})
