import { accounts } from '#lib/accounts/account-store.dynamo'
import { PASSWORD_MAX_LENGTH } from '#lib/accounts/passwords/password-rule'
import { passwordHasher, passwordMinLength } from '#lib/accounts/passwords/password-settings'
import { passwords } from '#lib/accounts/passwords/password-store.dynamo'
import { Registration, register } from '#lib/accounts/register'
import { SignedIn } from '#lib/accounts/sessions/sign-in'
import { tokenIssuer } from '#lib/accounts/sessions/token-issuer'
import { loginThrottle } from '#lib/accounts/throttle/throttle.dynamo'
import { hmacKeys } from '#lib/config/keys'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { mailRequests } from '#lib/mail/mail-requests.dynamo'

export const { spec, handler } = endpoint({
  route: 'POST /auth/register',
  summary: 'Register and sign in',
  description:
    `A password has at least \`PASSWORD_MIN_LENGTH\` and at most ${PASSWORD_MAX_LENGTH} characters of any kind. The user’s own ` +
    'name is refused, and so is a common or leaked password, also with digits or signs around it. The language is taken ' +
    'from `Accept-Language`. From one network more than 20 accounts an hour are a 429.',
  access: 'public',
  input: { body: Registration },
  output: { 201: SignedIn },
  problems: ['email_taken', 'weak_password', 'too_many_requests'],
  isSecret: true,
  deps: {
    accounts,
    passwords,
    mails: mailRequests,
    throttle: loginThrottle,
    issueAccessToken: tokenIssuer,
    hmacKeys,
    passwordMinLength,
    hashPassword: passwordHasher,
    now: clock,
    newId: ids,
  },
  run: ({ body, request }, deps) => register(deps, body, request),
})
