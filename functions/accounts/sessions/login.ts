import { accountFinder } from '#lib/accounts/account-reader.dynamo'
import { passwordReader } from '#lib/accounts/passwords/password-store.dynamo'
import { factorReader } from '#lib/accounts/second-factor/factor-store.dynamo'
import { passkeySettings } from '#lib/accounts/second-factor/passkey-settings'
import { Credentials, login } from '#lib/accounts/sessions/login'
import { sessions } from '#lib/accounts/sessions/session-store.dynamo'
import { SignedIn } from '#lib/accounts/sessions/sign-in'
import { tokenIssuer } from '#lib/accounts/sessions/token-issuer'
import { loginThrottle } from '#lib/accounts/throttle/throttle.dynamo'
import { hmacKeys } from '#lib/config/keys'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'

export const { spec, handler } = endpoint({
  route: 'POST /auth/login',
  summary: 'Sign in on a device',
  description:
    'A session lives 30 days from its last refresh and 90 from the sign-in; a user has at most 50. A sign-in from another network ' +
    'without a valid `deviceToken` is announced to the user. Limits, beyond which the answer is 429: 300 checked passwords and passkeys ' +
    'of one network in 15 minutes; 60 correct ones for one account in an hour; failed logins: 10 for one account from ' +
    'one address in 15 minutes, 100 from one address, and 100 for one account in an hour. Attempts whose outcome is not known yet ' +
    'count as failed. An IPv6 address counts as its /64 network, and as its /48 network with ten times each limit. ' +
    'On an account with a second factor the correct password is answered `second_factor_required`.',
  access: 'public',
  input: { body: Credentials },
  output: { 200: SignedIn },
  problems: ['invalid_credentials', 'second_factor_required', 'account_banned', 'too_many_requests'],
  isSecret: true,
  deps: {
    accounts: accountFinder,
    sessions,
    passwords: passwordReader,
    throttle: loginThrottle,
    factors: factorReader,
    passkeys: passkeySettings,
    issueAccessToken: tokenIssuer,
    hmacKeys,
    now: clock,
    newId: ids,
  },
  run: ({ body, request }, deps) => login(deps, body, request),
})
