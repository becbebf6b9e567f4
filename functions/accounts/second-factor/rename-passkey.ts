import { user } from '#lib/accounts/access'
import { factors } from '#lib/accounts/second-factor/factor-store.dynamo'
import { PasskeyChange, renamePasskey } from '#lib/accounts/second-factor/passkeys'
import { PasskeyView } from '#lib/accounts/second-factor/show-factors'
import { steppedUp } from '#lib/accounts/sessions/access'
import { endpoint } from '#lib/http/endpoint'
import { PasskeyId } from '#lib/kernel/id'

export const { spec, handler } = endpoint({
  route: 'PATCH /auth/passkeys/{id}',
  summary: 'Rename a passkey',
  description:
    'The name is one line with at least one letter; it is for the person, and changes nothing about signing in. A ' +
    'passkey of another account is a 404.',
  access: steppedUp(user),
  input: { params: { id: PasskeyId }, body: PasskeyChange },
  output: { 200: PasskeyView },
  deps: { factors },
  run: ({ actor, params, body }, deps) => renamePasskey(deps, actor.account, params.id, body),
})
