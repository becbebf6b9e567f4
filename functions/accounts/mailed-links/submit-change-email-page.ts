import { accounts } from '#lib/accounts/account-store.dynamo'
import { confirmEmailChange } from '#lib/accounts/addresses/confirm-email-change'
import { submitLinkPage } from '#lib/accounts/mailed-links/link-page-endpoint'
import { LinkProof } from '#lib/accounts/mailed-links/mailed-link'
import { mailedLinks } from '#lib/accounts/mailed-links/mailed-links.dynamo'
import { loginThrottle } from '#lib/accounts/throttle/throttle.dynamo'
import { hmacKeys } from '#lib/config/keys'
import { clock, ids } from '#lib/http/runtime'
import { mailRequests } from '#lib/mail/mail-requests.dynamo'
import { notificationReader } from '#lib/notifications/notification-store.dynamo'
import { brand } from '#lib/pages/brand'

export const { spec, handler } = submitLinkPage({
  route: 'POST /change-email',
  purpose: 'email-change',
  summary: 'Change an e-mail address by the button on the page of its link',
  problems: ['invalid_token', 'email_taken', 'too_many_requests'],
  proof: LinkProof,
  deps: {
    accounts,
    mailedLinks,
    mails: mailRequests,
    notifications: notificationReader,
    throttle: loginThrottle,
    hmacKeys,
    now: clock,
    newId: ids,
    brand,
  },
  act: (deps, proof, { ipAddress }) => confirmEmailChange(deps, proof, ipAddress),
})
