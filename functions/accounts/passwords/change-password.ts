import { user } from '#lib/accounts/access'
import { accounts } from '#lib/accounts/account-store.dynamo'
import { changePassword, PasswordChange } from '#lib/accounts/passwords/change-password'
import { passwordMinLength } from '#lib/accounts/passwords/password-settings'
import { passwords } from '#lib/accounts/passwords/password-store.dynamo'
import { steppedUpWithFactor } from '#lib/accounts/sessions/access'
import { loginThrottle } from '#lib/accounts/throttle/throttle.dynamo'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'

export const { spec, handler } = endpoint({
  route: 'POST /auth/password',
  summary: "Change the caller's password",
  description:
    'Signs every other device out. A wrong current password counts as a failed sign-in; ten within ' +
    'an hour end the session.',
  access: steppedUpWithFactor(user),
  input: { body: PasswordChange },
  output: { 204: null },
  problems: ['invalid_credentials', 'weak_password', 'too_many_requests'],
  deps: { accounts, passwords, throttle: loginThrottle, passwordMinLength, now: clock, newId: ids },
  run: ({ actor, body, request }, deps) => changePassword(deps, actor, body, request),
})
