import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { factors } from '#lib/accounts/second-factor/factor-store.dynamo'
import { passkeySettings } from '#lib/accounts/second-factor/passkey-settings'
import { sessions } from '#lib/accounts/sessions/session-store.dynamo'
import { SignedIn } from '#lib/accounts/sessions/sign-in'
import { SecondStep, signInWithFactor } from '#lib/accounts/sessions/sign-in-with-factor'
import { tokenIssuer } from '#lib/accounts/sessions/token-issuer'
import { loginThrottle } from '#lib/accounts/throttle/throttle.dynamo'
import { dataKeys, hmacKeys } from '#lib/config/keys'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'

export const { spec, handler } = endpoint({
  route: 'POST /auth/login/second-factor',
  summary: 'Sign in by a second factor, after the password',
  description:
    'Takes the challenge of `second_factor_required`. Five wrong answers void it. After ten wrong six-digit codes in an hour, ' +
    'or 30 in a day, further such codes are a 429; passkeys and recovery codes still work.',
  access: 'public',
  input: { body: SecondStep },
  output: { 200: SignedIn },
  problems: ['invalid_second_factor', 'too_many_requests'],
  isSecret: true,
  deps: {
    accounts: accountReader,
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
  run: ({ body, request }, deps) => signInWithFactor(deps, body, request),
})
