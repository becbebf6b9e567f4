import { accountStore } from '#lib/accounts/account-store.dynamo'
import { Credentials, login } from '#lib/accounts/sessions/login'
import { SignedIn } from '#lib/accounts/sessions/sign-in'
import { tokenIssuer } from '#lib/accounts/sessions/token-issuer'
import { loginThrottle } from '#lib/accounts/throttle/throttle.dynamo'
import { hmacKeys } from '#lib/hmac-keys'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'

export const { spec, handler } = endpoint({
  route: 'POST /auth/login',
  summary: 'Sign in on a device',
  description:
    'A session lives 30 days from its last refresh; a user has at most 50. Only failed logins count: 10 for one account ' +
    'from one address in 15 minutes, 100 from one address, and 100 for one account in an hour answer 429. An IPv6 ' +
    'address counts as its /64 network. Attempts at the same moment wait for each other.',
  access: 'public',
  input: { body: Credentials },
  output: { 200: SignedIn },
  problems: ['invalid_credentials', 'account_banned', 'too_many_requests'],
  isSecret: true,
  deps: {
    accounts: accountStore,
    throttle: loginThrottle,
    issueAccessToken: tokenIssuer,
    hmacKeys,
    now: clock,
    newId: ids,
  },
  run: ({ body, request }, deps) => login(deps, body, request),
})
