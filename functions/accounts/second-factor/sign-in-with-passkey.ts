import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { factors } from '#lib/accounts/second-factor/factor-store.dynamo'
import { passkeySettings } from '#lib/accounts/second-factor/passkey-settings'
import { sessions } from '#lib/accounts/sessions/session-store.dynamo'
import { SignedIn } from '#lib/accounts/sessions/sign-in'
import { PasskeySignIn, signInWithPasskey } from '#lib/accounts/sessions/sign-in-with-passkey'
import { tokenIssuer } from '#lib/accounts/sessions/token-issuer'
import { loginThrottle } from '#lib/accounts/throttle/throttle.dynamo'
import { dataKeys, hmacKeys } from '#lib/config/keys'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'

export const { spec, handler } = endpoint({
  route: 'POST /auth/passkeys/sign-in',
  summary: 'Sign in by a passkey alone',
  description:
    'A passkey that verified its user counts as both factors. Attempts count as checks of a password do, see `POST /auth/login`.',
  access: 'public',
  input: { body: PasskeySignIn },
  output: { 200: SignedIn },
  problems: ['invalid_credentials', 'account_banned', 'too_many_requests'],
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
  run: ({ body, request }, deps) => signInWithPasskey(deps, body, request),
})
