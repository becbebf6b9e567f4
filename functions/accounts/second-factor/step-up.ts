import { user } from '#lib/accounts/access'
import { accounts } from '#lib/accounts/account-store.dynamo'
import { passwordReader } from '#lib/accounts/passwords/password-store.dynamo'
import { factors } from '#lib/accounts/second-factor/factor-store.dynamo'
import { passkeySettings } from '#lib/accounts/second-factor/passkey-settings'
import { sessions } from '#lib/accounts/sessions/session-store.dynamo'
import { SteppedUp, StepUp, stepUp } from '#lib/accounts/sessions/step-up'
import { tokenIssuer } from '#lib/accounts/sessions/token-issuer'
import { loginThrottle } from '#lib/accounts/throttle/throttle.dynamo'
import { dataKeys, hmacKeys } from '#lib/config/keys'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'

export const { spec, handler } = endpoint({
  route: 'POST /auth/step-up',
  summary: 'Prove once more who the caller is',
  description:
    'With the password or, on an account that has one, with a second factor. For 15 minutes the new access token opens ' +
    'endpoints that need a step-up; the refresh token stays valid. Ten wrong answers in an hour end the session.',
  access: user,
  input: { body: StepUp },
  output: { 200: SteppedUp },
  problems: ['invalid_credentials', 'invalid_second_factor', 'too_many_requests'],
  isSecret: true,
  deps: {
    accounts,
    passwords: passwordReader,
    sessions,
    factors,
    passkeys: passkeySettings,
    throttle: loginThrottle,
    dataKeys,
    issueAccessToken: tokenIssuer,
    hmacKeys,
    now: clock,
    newId: ids,
  },
  run: ({ actor, body, request }, deps) => stepUp(deps, actor, body, request.ipAddress),
})
