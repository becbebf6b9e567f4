import { administrator } from '#lib/accounts/access'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { journal } from '#lib/journal/journal.dynamo'
import { agentAccounts } from '#lib/ledger/agent-accounts.dynamo'
import { books } from '#lib/ledger/books.dynamo'
import { failPayout, PayoutFailure } from '#lib/payouts/move-payout'
import { payoutMove } from '#lib/payouts/payout-move'
import { payouts } from '#lib/payouts/payout-store.dynamo'
import { circuitBreaker } from '#lib/providers/circuit-breaker.dynamo'
import { paymentProviders } from '#lib/providers/registry'

const move = payoutMove('FAILED')

export const { spec, handler } = endpoint({
  ...move,
  access: administrator(['payments'], { signIn: 'fresh' }),
  route: 'POST /admin/payouts/{id}/fail',
  summary: 'Say that a payout did not arrive',
  description:
    'For payouts by hand, and for those whose provider cannot say what became of them. The money returns to the agent’s ' +
    'balance. If the provider of a FAILED payout says later that it was paid, the payout stays FAILED and ' +
    '`needsResolution`: correct the balance, then call this operation to end that.',
  input: { ...move.input, body: PayoutFailure },
  deps: {
    payouts,
    agentAccounts,
    books,
    journal,
    circuitBreaker,
    providers: paymentProviders,
    now: clock,
    newId: ids,
  },
  run: ({ actor, params, body }, deps) =>
    failPayout(deps, { id: params.id, administrator: actor.subject }, body),
})
