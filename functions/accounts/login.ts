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
