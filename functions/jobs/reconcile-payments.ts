import { waitingMeasure } from '#lib/http/count'
import { job } from '#lib/http/job'
import { clock, ids } from '#lib/http/runtime'
import { callbackStore } from '#lib/payments/callbacks/callback-store.dynamo'
import { paymentChangeStores } from '#lib/payments/payment-change-stores.dynamo'
import { circuitBreaker } from '#lib/payments/provider/circuit-breaker.dynamo'
import { paymentProviders } from '#lib/payments/provider/registry'
import { reconcile } from '#lib/payments/reconcile/reconcile-due'

export const { spec, handler } = job({
  name: 'reconcilePayments',
  summary: 'Reads the payments that are due from their providers, closes pages and lets expired payments go',
  deps: {
    ...paymentChangeStores,
    callbacks: callbackStore,
    providers: paymentProviders,
    circuitBreaker,
    measure: waitingMeasure,
    now: clock,
    newId: ids,
  },
  run: (_event, deps) => reconcile(deps),
})
