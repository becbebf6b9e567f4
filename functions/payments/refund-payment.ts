import { administrator } from '#lib/accounts/access'
import { withUsesTestedElsewhere } from '#lib/config/config'
import { claimed } from '#lib/dynamo/idempotency.dynamo'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { journal } from '#lib/journal/journal.dynamo'
import { PaymentId } from '#lib/kernel/id'
import { withFollowers } from '#lib/payment-requests/followers'
import { paymentChangeStores } from '#lib/payment-requests/payment-change-stores.dynamo'
import { callbackStore } from '#lib/payments/callbacks/callback-store.dynamo'
import { RefundView } from '#lib/payments/payment-view'
import { RefundDraft, refundPayment } from '#lib/payments/refunds/refund-payment'
import { paymentProviders } from '#lib/providers/registry'

export const { spec, handler } = endpoint({
  route: 'POST /payments/{id}/refunds',
  summary: 'Refund a payment',
  description:
    'Without `chargeId` the refund is of the charge that counts, without `amount` of all that is left of it. The provider is asked once: if it does not ' +
    'answer, the refund stays PENDING, and the payment is read from the provider until the result is known. If the provider ' +
    'then knows of no refund, the refund needs a resolution. The money is never refunded twice. An amount ' +
    'that the provider cannot express, such as a fraction of its smallest unit, is a 400.',
  access: administrator(['payments'], { signIn: 'fresh' }),
  input: { params: { id: PaymentId }, body: RefundDraft },
  output: { 201: RefundView },
  problems: ['payment_not_refundable', 'refund_exceeds_payment', 'provider_unavailable', 'unavailable'],
  idempotency: claimed('refund'),
  deps: {
    ...paymentChangeStores,
    callbacks: withUsesTestedElsewhere(
      callbackStore.only('insert'),
      'stores a callback only if the provider contradicts the payment, as the tests of paymentCallback show',
    ),
    providers: paymentProviders,
    journal: journal.only('record'),
    now: clock,
    newId: ids,
  },
  // `idempotency` adds `once` to the dependencies: it stores the answer in the transaction of the use case.
  run: ({ actor, params, body }, deps) =>
    refundPayment(withFollowers(deps), { id: params.id, administrator: actor.subject }, body, deps.once),
})
