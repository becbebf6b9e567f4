import { dataKeys } from '#lib/config/keys'
import { job } from '#lib/http/job'
import { clock, ids } from '#lib/http/runtime'
import { changedPayoutStores } from '#lib/payouts/changed-payout-stores.dynamo'
import { payoutStore } from '#lib/payouts/payout-store.dynamo'
import { sendPayouts } from '#lib/payouts/send-payouts'
import { circuitBreaker } from '#lib/providers/circuit-breaker.dynamo'
import { paymentProviders } from '#lib/providers/registry'

export const { spec, handler } = job({
  name: 'payouts',
  summary: 'Sends payouts to their providers, and reads what became of those that were sent',
  deps: {
    ...changedPayoutStores,
    payouts: payoutStore.only('get', 'due', 'replace', 'commit'),
    providers: paymentProviders,
    circuitBreaker: circuitBreaker.only('of', 'countFailure', 'open', 'close'),
    dataKeys,
    now: clock,
    newId: ids,
  },
  // An event's time replaces the clock `now`.
  acceptsTime: true,
  run: (_event, deps) => sendPayouts(deps),
})
