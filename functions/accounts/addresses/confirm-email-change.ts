import { accounts } from '#lib/accounts/account-store.dynamo'
import { confirmEmailChange } from '#lib/accounts/addresses/confirm-email-change'
import { LinkProof } from '#lib/accounts/mailed-links/mailed-link'
import { mailedLinks } from '#lib/accounts/mailed-links/mailed-links.dynamo'
import { loginThrottle } from '#lib/accounts/throttle/throttle.dynamo'
import { hmacKeys } from '#lib/config/keys'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { mailRequests } from '#lib/mail/mail-requests.dynamo'
import { notificationReader } from '#lib/notifications/notification-store.dynamo'

export const { spec, handler } = endpoint({
  route: 'POST /auth/email/change/confirm',
  summary: 'Change the e-mail address by the link mailed to the new one',
  description:
    'The address is changed and verified. All sessions end, except the one that requested the change. A link mailed to the ' +
    'old address undoes the change; for 72 hours no other account can take the old address.',
  access: 'public',
  input: { body: LinkProof },
  output: { 204: null },
  problems: ['invalid_token', 'email_taken', 'too_many_requests'],
  deps: {
    accounts,
    mailedLinks,
    mails: mailRequests,
    notifications: notificationReader,
    throttle: loginThrottle,
    hmacKeys,
    now: clock,
    newId: ids,
  },
  run: ({ body, request }, deps) => confirmEmailChange(deps, body, request.ipAddress),
})
