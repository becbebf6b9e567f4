import { accountStore } from '#lib/accounts/account-store.dynamo'
import { passwordMinLength } from '#lib/accounts/passwords/password-settings'
import { Registration, register } from '#lib/accounts/register'
import { SignedIn } from '#lib/accounts/sessions/sign-in'
import { tokenIssuer } from '#lib/accounts/sessions/token-issuer'
import { hmacKeys } from '#lib/hmac-keys'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'

export const { spec, handler } = endpoint({
  route: 'POST /auth/register',
  summary: 'Register and sign in',
  description:
    'Passwords have 12 to 128 characters of any kind and may not be common, leaked or your own name.',
  access: 'public',
  input: { body: Registration },
  output: { 201: SignedIn },
  problems: ['email_taken', 'weak_password'],
  isSecret: true,
  deps: {
    accounts: accountStore,
    issueAccessToken: tokenIssuer,
    hmacKeys,
    passwordMinLength,
    now: clock,
    newId: ids,
  },
  run: ({ body, request }, deps) => register(deps, body, request),
})
