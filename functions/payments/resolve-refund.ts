import { administrator } from '#lib/accounts/access'
import { enquiries } from '#lib/enquiries/enquiry-store.dynamo'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { journal } from '#lib/journal/journal.dynamo'
import { PaymentId, RefundId } from '#lib/kernel/id'
import { agentAccounts } from '#lib/ledger/agent-accounts.dynamo'
import { books } from '#lib/ledger/books.dynamo'
import { listings } from '#lib/listings/listing-store.dynamo'
import { withFollowers } from '#lib/payment-requests/followers'
import { holds } from '#lib/payment-requests/holds/hold-store.dynamo'
import { requests } from '#lib/payment-requests/request-store.dynamo'
import { callbacks } from '#lib/payments/callbacks/callback-store.dynamo'
import { payments } from '#lib/payments/payment-store.dynamo'
import { RefundView } from '#lib/payments/payment-view'
import { Resolution, resolveRefund } from '#lib/payments/refunds/resolve-refund'
import { paymentProviders } from '#lib/providers/registry'

export const { spec, handler } = endpoint({
  route: 'POST /payments/{id}/refunds/{refundId}/resolve',
  summary: 'Say what became of a refund that its provider does not know',
  description:
    'For a refund with `needsResolution`. The provider is asked first: a refund that it knows is a 409 with its ' +
    '`refundStatus`. If the provider reports the refund later, its report replaces the resolution.',
  access: administrator(['payments'], { signIn: 'fresh' }),
  input: { params: { id: PaymentId, refundId: RefundId }, body: Resolution },
  output: { 200: RefundView },
  problems: ['refund_not_resolvable', 'provider_unavailable', 'unavailable'],
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
  run: ({ actor, params, body }, deps) =>
    resolveRefund(withFollowers(deps), { ...params, administrator: actor.subject }, body),
})
