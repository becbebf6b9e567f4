import { dataKeys } from '#lib/config/keys'
import { job } from '#lib/http/job'
import { clock, ids } from '#lib/http/runtime'
import { agentAccounts } from '#lib/ledger/agent-accounts.dynamo'
import { books } from '#lib/ledger/books.dynamo'
import { payouts } from '#lib/payouts/payout-store.dynamo'
import { sendPayouts } from '#lib/payouts/send-payouts'
import { circuitBreaker } from '#lib/providers/circuit-breaker.dynamo'
import { paymentProviders } from '#lib/providers/registry'

export const { spec, handler } = job({
  name: 'payouts',
  summary: 'Sends payouts to their providers, and reads what became of those that were sent',
  deps: {
    payouts,
    agentAccounts,
    books,
    providers: paymentProviders,
    circuitBreaker,
    dataKeys,
    now: clock,
    newId: ids,
  },
  // An event's time replaces the clock `now`.
  acceptsTime: true,
  run: (_event, deps) => sendPayouts(deps),
})
