import { accounts } from '#lib/accounts/account-store.dynamo'
import { undoEmailChange } from '#lib/accounts/addresses/undo-email-change'
import { submitLinkPage } from '#lib/accounts/mailed-links/link-page-endpoint'
import { LinkProof } from '#lib/accounts/mailed-links/mailed-link'
import { mailedLinks } from '#lib/accounts/mailed-links/mailed-links.dynamo'
import { passwords } from '#lib/accounts/passwords/password-store.dynamo'
import { factors } from '#lib/accounts/second-factor/factor-store.dynamo'
import { loginThrottle } from '#lib/accounts/throttle/throttle.dynamo'
import { hmacKeys } from '#lib/config/keys'
import { clock, ids } from '#lib/http/runtime'
import { mailRequests } from '#lib/mail/mail-requests.dynamo'
import { notifications } from '#lib/notifications/notification-store.dynamo'
import { brand } from '#lib/pages/brand'

export const { spec, handler } = submitLinkPage({
  route: 'POST /undo-email-change',
  purpose: 'email-undo',
  summary: 'Undo a change of e-mail address by the button on the page of its link',
  problems: ['invalid_token', 'too_many_requests'],
  proof: LinkProof,
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
    brand,
  },
  act: (deps, proof, { ipAddress }) => undoEmailChange(deps, proof, ipAddress),
})
