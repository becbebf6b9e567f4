import { user } from '#lib/accounts/access'
import { accounts } from '#lib/accounts/account-store.dynamo'
import { factors } from '#lib/accounts/second-factor/factor-store.dynamo'
import { passkeySettings } from '#lib/accounts/second-factor/passkey-settings'
import { AddedPasskey, addPasskey, NewPasskey } from '#lib/accounts/second-factor/passkeys'
import { steppedUpForFactor } from '#lib/accounts/sessions/access'
import { loginThrottle } from '#lib/accounts/throttle/throttle.dynamo'
import { hmacKeys } from '#lib/config/keys'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'

export const { spec, handler } = endpoint({
  route: 'POST /auth/passkeys',
  summary: 'Add a passkey',
  description:
    'A passkey is a second factor, and it also signs in without a password. An account has at most ten. With the first factor ' +
    'come ten recovery codes, shown once. Attestation `none`, or `packed` without certificates; EdDSA, ES256 or RS256. A ' +
    'challenge is good for one attempt; ten wrong ones in an hour end the session.',
  access: steppedUpForFactor(user),
  input: { body: NewPasskey },
  output: { 201: AddedPasskey },
  problems: ['invalid_passkey', 'passkey_limit_reached', 'too_many_requests'],
  isSecret: true,
  deps: {
    accounts,
    factors,
    hmacKeys,
    passkeys: passkeySettings,
    throttle: loginThrottle,
    now: clock,
    newId: ids,
  },
  run: ({ actor, body }, deps) => addPasskey(deps, actor, body),
})
