import { accounts } from '#lib/accounts/account-store.dynamo'
import { factors } from '#lib/accounts/second-factor/factor-store.dynamo'
import { removeDueFactors } from '#lib/accounts/second-factor/remove-factors'
import { job } from '#lib/http/job'
import { clock, ids } from '#lib/http/runtime'

export const { spec, handler } = job({
  name: 'secondFactors',
  summary: 'Removes second factors 24 hours after an administrator announced the removal',
  deps: { accounts, factors, now: clock, newId: ids },
  // An event's time replaces the clock `now`.
  acceptsTime: true,
  run: (_event, deps) => removeDueFactors(deps),
})
