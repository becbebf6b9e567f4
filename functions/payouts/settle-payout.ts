import { administrator } from '#lib/accounts/access'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { journal } from '#lib/journal/journal.dynamo'
import { agentAccounts } from '#lib/ledger/agent-accounts.dynamo'
import { books } from '#lib/ledger/books.dynamo'
import { PayoutSettlement, settlePayout } from '#lib/payouts/move-payout'
import { payoutMove } from '#lib/payouts/payout-move'
import { payouts } from '#lib/payouts/payout-store.dynamo'
import { circuitBreaker } from '#lib/providers/circuit-breaker.dynamo'
import { paymentProviders } from '#lib/providers/registry'

const move = payoutMove('PAID')

export const { spec, handler } = endpoint({
  ...move,
  access: administrator(['payments'], { signIn: 'fresh' }),
  route: 'POST /admin/payouts/{id}/settle',
  summary: 'Say that a payout was paid',
  description:
    'For payouts by hand, and for those whose provider cannot say what became of them. A repeated call is 200.',
  input: { ...move.input, body: PayoutSettlement },
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
    settlePayout(deps, { id: params.id, administrator: actor.subject }, body),
})
