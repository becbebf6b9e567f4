import { callback } from '#lib/http/callback'
import { counter } from '#lib/http/count'
import { clock, ids } from '#lib/http/runtime'
import { withFollowers } from '#lib/payment-requests/followers'
import { paymentChangeStores } from '#lib/payment-requests/payment-change-stores.dynamo'
import { callbackStore } from '#lib/payments/callbacks/callback-store.dynamo'
import { receiveCallback } from '#lib/payments/callbacks/receive-callback'
import { payoutStore } from '#lib/payouts/payout-store.dynamo'
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
    ...paymentChangeStores,
    payouts: payoutStore.only('get', 'replace', 'commit'),
    callbacks: callbackStore.only(
      'get',
      'ofSameEvent',
      'insert',
      'wait',
      'waiting',
      'replace',
      'close',
      'commit',
    ),
    providers: paymentProviders,
    circuitBreaker,
    count: counter,
    now: clock,
    newId: ids,
  },
  run: (request, deps) => receiveCallback({ ...withFollowers(deps), findPayout: findPayout(deps) }, request),
})
