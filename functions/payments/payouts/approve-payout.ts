import { administrator } from '#lib/accounts/access'
import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { journal } from '#lib/journal/journal.dynamo'
import { PayoutId } from '#lib/kernel/id'
import { changedPayoutStores } from '#lib/payments/payouts/changed-payout-stores.dynamo'
import { approvePayout } from '#lib/payments/payouts/move-payout'
import { PayoutView } from '#lib/payments/payouts/payout'

export const { spec, handler } = endpoint({
  route: 'POST /admin/payouts/{id}/approve',
  summary: 'Approve a payout',
  description: 'By another administrator than who made it. Approved again by the same one: 200.',
  access: administrator(['payments'], { signIn: 'fresh' }),
  input: { params: { id: PayoutId } },
  output: { 200: PayoutView },
  problems: ['second_person_needed', 'payout_transition_not_allowed', 'unavailable'],
  deps: {
    ...changedPayoutStores,
    accounts: accountReader,
    journal,
    now: clock,
    newId: ids,
  },
  run: ({ actor, params }, deps) => approvePayout(deps, { id: params.id, administrator: actor.subject }),
})
