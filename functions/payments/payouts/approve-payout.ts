import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { approvePayout } from '#lib/payments/payouts/move-payout'
import { movedPayout } from '#lib/payments/payouts/moved-payout.dynamo'

export const { spec, handler } = endpoint({
  ...movedPayout,
  route: 'POST /admin/payouts/{id}/approve',
  summary: 'Approve a payout',
  description: 'By another administrator than who made it. Approved again by the same one: 200.',
  problems: ['second_person_needed', ...movedPayout.problems],
  deps: { ...movedPayout.deps, now: clock, newId: ids },
  run: ({ actor, params }, deps) => approvePayout(deps, { id: params.id, administrator: actor.subject }),
})
