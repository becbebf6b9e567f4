import { accounts } from '#lib/accounts/account-store.dynamo'
import { undoEmailChange } from '#lib/accounts/addresses/undo-email-change'
import { LinkProof } from '#lib/accounts/mailed-links/mailed-link'
import { mailedLinks } from '#lib/accounts/mailed-links/mailed-links.dynamo'
import { passwords } from '#lib/accounts/passwords/password-store.dynamo'
import { factors } from '#lib/accounts/second-factor/factor-store.dynamo'
import { loginThrottle } from '#lib/accounts/throttle/throttle.dynamo'
import { hmacKeys } from '#lib/config/keys'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { mailRequests } from '#lib/mail/mail-requests.dynamo'
import { notifications } from '#lib/notifications/notification-store.dynamo'

export const { spec, handler } = endpoint({
  route: 'POST /auth/email/change/undo',
  summary: 'Bring the old e-mail address back by the link mailed to it',
  description:
    'Name, telephone number, agent profile and mail preferences are again as before the change. If an administrator has decided on ' +
    'another name or profile since, the person waits for review again and is not public until a decision. Every session, ' +
    'API key and mailed link and the password become void. Second factors that were not 72 hours old at the change are ' +
    'removed, and so are enquiries, favourites, saved searches and a payout account that were added since; drafts of ' +
    'since are archived. A reset link is mailed to the old address. Later changes of address are undone, too: their ' +
    'links become void. Links of earlier changes still work.',
  access: 'public',
  input: { body: LinkProof },
  output: { 204: null },
  problems: ['invalid_token', 'too_many_requests'],
  deps: {
    accounts,
    passwords,
    factors,
    mailedLinks,
    mails: mailRequests,
    notifications,
    throttle: loginThrottle,
    hmacKeys,
    now: clock,
    newId: ids,
  },
  run: ({ body, request }, deps) => undoEmailChange(deps, body, request.ipAddress),
})
