import { enquiries } from '#lib/enquiries/enquiry-store.dynamo'
import { callback } from '#lib/http/callback'
import { counter } from '#lib/http/count'
import { clock, ids } from '#lib/http/runtime'
import { agentAccounts } from '#lib/ledger/agent-accounts.dynamo'
import { books } from '#lib/ledger/books.dynamo'
import { listings } from '#lib/listings/listing-store.dynamo'
import { withFollowers } from '#lib/payment-requests/followers'
import { holds } from '#lib/payment-requests/holds/hold-store.dynamo'
import { requests } from '#lib/payment-requests/request-store.dynamo'
import { callbacks } from '#lib/payments/callbacks/callback-store.dynamo'
import { receiveCallback } from '#lib/payments/callbacks/receive-callback'
import { payments } from '#lib/payments/payment-store.dynamo'
import { payouts } from '#lib/payouts/payout-store.dynamo'
import { findPayout } from '#lib/payouts/payout-subject'
import { circuitBreaker } from '#lib/providers/circuit-breaker.dynamo'
import { paymentProviders } from '#lib/providers/registry'

export const { spec, handler } = callback({
  routes: [
    'POST /payments/callback/{provider}',
    'PUT /payments/callback/{provider}',
    'GET /payments/callback/{provider}',
  ],
  summary: 'Receive a callback of a payment provider',
  description:
    "Body and signature are the provider's own; the signature is checked over the bytes as they arrive. The answer is the " +
    'one that the provider expects. A repeated callback changes nothing. A failure on our side answers 5xx, so that the ' +
    'provider sends the callback again. Values that the signature does not cover are read from the provider’s API before ' +
    'anything changes.',
  problems: ['validation_failed', 'invalid_signature', 'not_found'],
  deps: {
    payments,
    requests,
    holds,
    enquiries,
    listings,
    agentAccounts,
    books,
    payouts,
    callbacks,
    providers: paymentProviders,
    circuitBreaker,
    count: counter,
    now: clock,
    newId: ids,
  },
  run: (request, deps) => receiveCallback({ ...withFollowers(deps), findPayout: findPayout(deps) }, request),
})
