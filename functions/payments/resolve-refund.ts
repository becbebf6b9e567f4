import { administrator } from '#lib/accounts/access'
import { enquiryStore } from '#lib/enquiries/enquiry-store.dynamo'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { journal } from '#lib/journal/journal.dynamo'
import { PaymentId, RefundId } from '#lib/kernel/id'
import { listingStore } from '#lib/listings/listing-store.dynamo'
import { paymentStore } from '#lib/payments/payment-store.dynamo'
import { RefundView } from '#lib/payments/payment-view'
import { paymentProviders } from '#lib/payments/provider/registry'
import { Resolution, resolveRefund } from '#lib/payments/refunds/resolve-refund'
import { requestStore } from '#lib/payments/requests/request-store.dynamo'
import { holdStore } from '#lib/payments/reservations/hold-store.dynamo'

export const { spec, handler } = endpoint({
  route: 'POST /payments/{id}/refunds/{refundId}/resolve',
  summary: 'Say what became of a refund that its provider does not know',
  description:
    'For a refund with `needsResolution`. The provider is read first: one that it holds is a 409 with its ' +
    '`refundStatus`. What the provider says of the refund later goes before the resolution.',
  access: administrator,
  input: { params: { id: PaymentId, refundId: RefundId }, body: Resolution },
  output: { 200: RefundView },
  problems: ['refund_not_resolvable', 'idempotency_in_progress', 'provider_unavailable', 'unavailable'],
  deps: {
    payments: paymentStore,
    requests: requestStore,
    holds: holdStore,
    enquiries: enquiryStore,
    listings: listingStore,
    providers: paymentProviders,
    journal,
    now: clock,
    newId: ids,
  },
  run: ({ actor, params, body }, deps) => {
    const which = { ...params, administrator: actor.subject }
    return resolveRefund(deps, which, body)
  },
})
