import { administrator } from '#lib/accounts/access'
import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { journal } from '#lib/journal/journal.dynamo'
import { PayoutId } from '#lib/kernel/id'
import { changedPayoutStores } from '#lib/payments/payouts/changed-payout-stores.dynamo'
import { cancelPayout } from '#lib/payments/payouts/move-payout'
import { PayoutView } from '#lib/payments/payouts/payout'

export const { spec, handler } = endpoint({
  route: 'POST /admin/payouts/{id}/cancel',
  summary: 'Cancel a payout that has not gone out',
  description: 'The money goes back to the agent. Again: 200.',
  access: administrator(['payments'], { signIn: 'fresh' }),
  input: { params: { id: PayoutId } },
  output: { 200: PayoutView },
  problems: ['payout_transition_not_allowed', 'unavailable'],
  deps: {
    ...changedPayoutStores,
    accounts: accountReader,
    journal,
    now: clock,
    newId: ids,
  },
  run: ({ actor, params }, deps) => cancelPayout(deps, { id: params.id, administrator: actor.subject }),
})
