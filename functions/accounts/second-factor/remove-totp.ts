import { user } from '#lib/accounts/access'
import { accounts } from '#lib/accounts/account-store.dynamo'
import { factors } from '#lib/accounts/second-factor/factor-store.dynamo'
import { removeTotp } from '#lib/accounts/second-factor/set-up-totp'
import { steppedUp } from '#lib/accounts/sessions/access'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'

export const { spec, handler } = endpoint({
  route: 'DELETE /auth/second-factor/totp',
  summary: 'Remove the authenticator app',
  description: 'With the last factor the recovery codes are removed, too.',
  access: steppedUp(user),
  output: { 204: null },
  deps: { accounts, factors, now: clock, newId: ids },
  run: ({ actor }, deps) => removeTotp(deps, actor.account),
})
