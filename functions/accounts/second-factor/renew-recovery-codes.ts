import { user } from '#lib/accounts/access'
import { accounts } from '#lib/accounts/account-store.dynamo'
import { factors } from '#lib/accounts/second-factor/factor-store.dynamo'
import { RenewedCodes, renewCodes } from '#lib/accounts/second-factor/renew-codes'
import { steppedUp } from '#lib/accounts/sessions/access'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'

export const { spec, handler } = endpoint({
  route: 'POST /auth/second-factor/recovery-codes',
  summary: 'Make ten new recovery codes',
  description: 'The old codes are void. The new ones are shown once: only hashes are kept.',
  access: steppedUp(user),
  output: { 200: RenewedCodes },
  problems: ['second_factor_missing'],
  isSecret: true,
  deps: { accounts, factors, now: clock, newId: ids },
  run: ({ actor }, deps) => renewCodes(deps, actor.account),
})
