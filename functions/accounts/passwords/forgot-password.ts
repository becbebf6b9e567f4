import { EmailInput, requestPasswordReset } from '#lib/accounts/mailed-links/request-mail'
import { loginThrottle } from '#lib/accounts/throttle/throttle.dynamo'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { mailRequests } from '#lib/mail/mail-requests.dynamo'

export const { spec, handler } = endpoint({
  route: 'POST /auth/password/forgot',
  summary: 'Have a link mailed that sets a new password',
  description:
    'Answers the same whether the address has an account or not. The link works once, for 30 minutes. An address is sent ' +
    'up to five links an hour, and after these one every 15 minutes; any other request sends no mail and answers the same.',
  access: 'public',
  input: { body: EmailInput },
  output: { 202: null },
  deps: { mails: mailRequests, throttle: loginThrottle, now: clock, newId: ids },
  run: ({ body, request }, deps) => requestPasswordReset(deps, body, request.ipAddress),
})
