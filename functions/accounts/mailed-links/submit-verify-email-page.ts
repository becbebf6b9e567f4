import { accounts } from '#lib/accounts/account-store.dynamo'
import { Renewal, submitLinkPage } from '#lib/accounts/mailed-links/link-page-endpoint'
import { LinkProof } from '#lib/accounts/mailed-links/mailed-link'
import { mailedLinkReader } from '#lib/accounts/mailed-links/mailed-links.dynamo'
import { requestVerificationByAddress } from '#lib/accounts/mailed-links/request-mail'
import { verifyEmail } from '#lib/accounts/mailed-links/verify-email'
import { loginThrottle } from '#lib/accounts/throttle/throttle.dynamo'
import { hmacKeys } from '#lib/config/keys'
import { clock, ids } from '#lib/http/runtime'
import { mailRequests } from '#lib/mail/mail-requests.dynamo'
import { brand } from '#lib/pages/brand'

export const { spec, handler } = submitLinkPage({
  route: 'POST /verify-email',
  purpose: 'email-verification',
  summary: 'Verify an e-mail address by the button on the page of its link',
  problems: ['invalid_token', 'too_many_requests'],
  description:
    'Answers a page that says that it is done. With an `email` in place of the token it mails a new link to that address, if ' +
    'an account has the address and has not verified it.',
  proof: LinkProof,
  body: Renewal,
  deps: {
    accounts,
    mailedLinks: mailedLinkReader,
    mails: mailRequests,
    throttle: loginThrottle,
    hmacKeys,
    now: clock,
    newId: ids,
    brand,
  },
  act: (deps, proof, { ipAddress }) => verifyEmail(deps, proof, ipAddress),
  renew: requestVerificationByAddress,
})
