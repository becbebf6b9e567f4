import { administrator } from '#lib/accounts/access'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { journal } from '#lib/journal/journal.dynamo'
import { agentAccounts } from '#lib/ledger/agent-accounts.dynamo'
import { books } from '#lib/ledger/books.dynamo'
import { cancelPayout } from '#lib/payouts/move-payout'
import { payoutMove } from '#lib/payouts/payout-move'
import { payouts } from '#lib/payouts/payout-store.dynamo'

export const { spec, handler } = endpoint({
  ...payoutMove('CANCELLED'),
  access: administrator(['payments'], { signIn: 'fresh' }),
  route: 'POST /admin/payouts/{id}/cancel',
  summary: 'Cancel a payout that has not gone out',
  description: 'The money returns to the agent’s balance. A repeated call is 200.',
  deps: { payouts, agentAccounts, books, journal, now: clock, newId: ids },
  run: ({ actor, params }, deps) => cancelPayout(deps, { id: params.id, administrator: actor.subject }),
})
