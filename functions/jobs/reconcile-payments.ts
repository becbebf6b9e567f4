import { withUsesTestedElsewhere } from '#lib/config/config'
import { waitingMeasure } from '#lib/http/count'
import { job } from '#lib/http/job'
import { clock, ids } from '#lib/http/runtime'
import { withFollowers } from '#lib/payment-requests/followers'
import { paymentChangeStores } from '#lib/payment-requests/payment-change-stores.dynamo'
import { callbackStore } from '#lib/payments/callbacks/callback-store.dynamo'
import { paymentStore } from '#lib/payments/payment-store.dynamo'
import { reconcile } from '#lib/payments/reconcile/reconcile-due'
import { circuitBreaker } from '#lib/providers/circuit-breaker.dynamo'
import { paymentProviders } from '#lib/providers/registry'

const BECAUSE =
  'acts on every due payment that other tests left in the table, so its writes differ from run to run'

export const { spec, handler } = job({
  name: 'reconcilePayments',
  summary: 'Reads due payments from their providers, closes payment pages, and expires payments',
  deps: {
    ...paymentChangeStores,
    payments: withUsesTestedElsewhere(
      paymentStore.only(
        'get',
        'getEach',
        'byReference',
        'due',
        'dropDue',
        'save',
        'unchanged',
        'recordMove',
        'commit',
      ),
      BECAUSE,
    ),
    callbacks: withUsesTestedElsewhere(
      callbackStore.only('get', 'insert', 'wait', 'waiting', 'close'),
      BECAUSE,
    ),
    providers: paymentProviders,
    circuitBreaker: withUsesTestedElsewhere(circuitBreaker, BECAUSE),
    measure: waitingMeasure,
    now: clock,
    newId: ids,
  },
  run: (_event, deps) => reconcile(withFollowers(deps)),
})
