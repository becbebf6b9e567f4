import { administrator } from '#lib/accounts/access'
import { claimed } from '#lib/dynamo/idempotency.dynamo'
import { enquiries } from '#lib/enquiries/enquiry-store.dynamo'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { journal } from '#lib/journal/journal.dynamo'
import { PaymentId } from '#lib/kernel/id'
import { agentAccounts } from '#lib/ledger/agent-accounts.dynamo'
import { books } from '#lib/ledger/books.dynamo'
import { listings } from '#lib/listings/listing-store.dynamo'
import { withFollowers } from '#lib/payment-requests/followers'
import { holds } from '#lib/payment-requests/holds/hold-store.dynamo'
import { requests } from '#lib/payment-requests/request-store.dynamo'
import { callbacks } from '#lib/payments/callbacks/callback-store.dynamo'
import { payments } from '#lib/payments/payment-store.dynamo'
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
    payments,
    requests,
    holds,
    enquiries,
    listings,
    agentAccounts,
    books,
    callbacks,
    providers: paymentProviders,
    journal,
    now: clock,
    newId: ids,
  },
  // `idempotency` adds `once` to the dependencies: it stores the answer in the transaction of the use case.
  run: ({ actor, params, body }, deps) =>
    refundPayment(withFollowers(deps), { id: params.id, administrator: actor.subject }, body, deps.once),
})
