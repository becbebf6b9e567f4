import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { callback } from '#lib/http/callback'
import { counter } from '#lib/http/count'
import { clock, ids } from '#lib/http/runtime'
import { callbackStore } from '#lib/payments/callbacks/callback-store.dynamo'
import { receiveCallback } from '#lib/payments/callbacks/receive-callback'
import { paymentChangeStores } from '#lib/payments/payment-change-stores.dynamo'
import { payoutStore } from '#lib/payments/payouts/payout-store.dynamo'
import { circuitBreaker } from '#lib/payments/provider/circuit-breaker.dynamo'
import { paymentProviders } from '#lib/payments/provider/registry'

export const { spec, handler } = callback({
  routes: [
    'POST /payments/callback/{provider}',
    'PUT /payments/callback/{provider}',
    'GET /payments/callback/{provider}',
  ],
  summary: 'Receive what a payment provider calls back',
  description:
    "The provider's own body and signature, checked over the bytes as they arrive; the answer is the one the " +
    'provider expects. The same event again changes nothing. A failure on our side answers 5xx, so that the ' +
    'provider sends it again. What a signature does not cover is read from the provider’s API before anything changes.',
  problems: ['validation_failed', 'invalid_signature', 'not_found'],
  deps: {
    ...paymentChangeStores,
    accounts: accountReader,
    payouts: payoutStore.only('get', 'replace', 'commit'),
    callbacks: callbackStore.only('get', 'insert', 'wait', 'waiting', 'replace', 'close', 'commit'),
    providers: paymentProviders,
    circuitBreaker,
    count: counter,
    now: clock,
    newId: ids,
  },
  run: (request, deps) => receiveCallback(deps, request),
})
