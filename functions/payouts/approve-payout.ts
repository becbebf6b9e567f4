import { administrator } from '#lib/accounts/access'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { journal } from '#lib/journal/journal.dynamo'
import { agentAccounts } from '#lib/ledger/agent-accounts.dynamo'
import { books } from '#lib/ledger/books.dynamo'
import { approvePayout } from '#lib/payouts/move-payout'
import { payoutMove } from '#lib/payouts/payout-move'
import { payouts } from '#lib/payouts/payout-store.dynamo'

const move = payoutMove('PENDING')

export const { spec, handler } = endpoint({
  ...move,
  access: administrator(['payments'], { signIn: 'fresh' }),
  route: 'POST /admin/payouts/{id}/approve',
  summary: 'Approve a payout',
  description:
    'By another administrator than the one who made the payout. A repeated approval by the same one is 200.',
  problems: ['second_person_needed', ...move.problems],
  deps: { payouts, agentAccounts, books, journal, now: clock, newId: ids },
  run: ({ actor, params }, deps) => approvePayout(deps, { id: params.id, administrator: actor.subject }),
})
