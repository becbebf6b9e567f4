import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { cancelPayout } from '#lib/payments/payouts/move-payout'
import { movedPayout } from '#lib/payments/payouts/moved-payout.dynamo'

export const { spec, handler } = endpoint({
  ...movedPayout,
  route: 'POST /admin/payouts/{id}/cancel',
  summary: 'Cancel a payout that has not gone out',
  description: 'The money goes back to the agent. Again: 200.',
  deps: { ...movedPayout.deps, now: clock, newId: ids },
  run: ({ actor, params }, deps) => cancelPayout(deps, { id: params.id, administrator: actor.subject }),
})
