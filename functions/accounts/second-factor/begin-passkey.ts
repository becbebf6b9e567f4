import { user } from '#lib/accounts/access'
import { factorReader } from '#lib/accounts/second-factor/factor-store.dynamo'
import { passkeySettings } from '#lib/accounts/second-factor/passkey-settings'
import { beginPasskey, PasskeyCreation } from '#lib/accounts/second-factor/passkeys'
import { steppedUpForFactor } from '#lib/accounts/sessions/access'
import { hmacKeys } from '#lib/config/keys'
import { endpoint } from '#lib/http/endpoint'
import { clock } from '#lib/http/runtime'

export const { spec, handler } = endpoint({
  route: 'POST /auth/passkeys/options',
  summary: 'Begin to add a passkey',
  description:
    'Pass `options` to `navigator.credentials.create` and its answer, with `challenge` and a name, to `POST /auth/passkeys` ' +
    'within ten minutes. For the first factor of an account, step up with the password before.',
  access: steppedUpForFactor(user),
  output: { 200: PasskeyCreation },
  problems: ['passkey_limit_reached'],
  isSecret: true,
  deps: { factors: factorReader, hmacKeys, passkeys: passkeySettings, now: clock },
  run: ({ actor }, deps) => beginPasskey(deps, actor),
})
