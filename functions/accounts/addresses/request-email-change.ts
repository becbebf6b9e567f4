import { user } from '#lib/accounts/access'
import { accounts } from '#lib/accounts/account-store.dynamo'
import { EmailChange, requestEmailChange } from '#lib/accounts/addresses/request-email-change'
import { passwordReader } from '#lib/accounts/passwords/password-store.dynamo'
import { steppedUpWithFactor } from '#lib/accounts/sessions/access'
import { loginThrottle } from '#lib/accounts/throttle/throttle.dynamo'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { mailRequests } from '#lib/mail/mail-requests.dynamo'

export const { spec, handler } = endpoint({
  route: 'POST /auth/email/change',
  summary: "Have a link mailed that changes the caller's e-mail address",
  description:
    'Answers the same whether the new address is taken or not. If it is taken, a mail tells its owner so, and nothing ' +
    'changes. The link works once, for 24 hours, until a newer one is requested, the password changes, or the session of the ' +
    'request ends. The current address is mailed a notice of the request. After ten changes in 72 hours a request is a 429.',
  access: steppedUpWithFactor(user),
  input: { body: EmailChange },
  output: { 202: null },
  problems: ['invalid_credentials', 'too_many_requests'],
  deps: {
    accounts,
    passwords: passwordReader,
    mails: mailRequests,
    throttle: loginThrottle,
    now: clock,
    newId: ids,
  },
  run: ({ actor, body, request }, deps) => requestEmailChange(deps, actor, body, request.ipAddress),
})
