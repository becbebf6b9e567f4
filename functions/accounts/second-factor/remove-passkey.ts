import { user } from '#lib/accounts/access'
import { accounts } from '#lib/accounts/account-store.dynamo'
import { factors } from '#lib/accounts/second-factor/factor-store.dynamo'
import { removePasskey } from '#lib/accounts/second-factor/passkeys'
import { steppedUp } from '#lib/accounts/sessions/access'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { PasskeyId } from '#lib/kernel/id'

export const { spec, handler } = endpoint({
  route: 'DELETE /auth/passkeys/{id}',
  summary: 'Remove a passkey',
  description: 'With the last factor the recovery codes are removed, too.',
  access: steppedUp(user),
  input: { params: { id: PasskeyId } },
  output: { 204: null },
  deps: { accounts, factors, now: clock, newId: ids },
  run: ({ actor, params }, deps) => removePasskey(deps, actor.account, params.id),
})
