import { accountStore } from '#lib/accounts/account-store.dynamo'
import { undoEmailChange } from '#lib/accounts/addresses/undo-email-change'
import { submitLinkPage } from '#lib/accounts/mailed-links/link-page-endpoint'
import { LinkProof } from '#lib/accounts/mailed-links/mailed-link'
import { mailedLinks } from '#lib/accounts/mailed-links/mailed-links.dynamo'
import { passwordStore } from '#lib/accounts/passwords/password-store.dynamo'
import { factorStore } from '#lib/accounts/second-factor/factor-store.dynamo'
import { loginThrottle } from '#lib/accounts/throttle/throttle.dynamo'
import { withUsesTestedElsewhere } from '#lib/config/config'
import { hmacKeys } from '#lib/config/keys'
import { clock, ids } from '#lib/http/runtime'
import { mailRequests } from '#lib/mail/mail-requests.dynamo'
import { notificationStore } from '#lib/notifications/notification-store.dynamo'
import { brand } from '#lib/pages/brand'

export const { spec, handler } = submitLinkPage({
  route: 'POST /undo-email-change',
  purpose: 'email-undo',
  summary: 'Undo a change of e-mail address by the button on the page of its link',
  problems: ['invalid_token', 'too_many_requests'],
  proof: LinkProof,
  deps: {
    accounts: accountStore.only('get', 'storeRestoration', 'save'),
    passwords: passwordStore.only('remove'),
    factors: withUsesTestedElsewhere(
      factorStore.only('get', 'replace', 'unscheduleRemoval'),
      'the tests of POST /auth/email/change/undo, which runs the same code, use every permission',
    ),
    mailedLinks: mailedLinks.only('get', 'use'),
    mails: mailRequests,
    notifications: notificationStore.only('setPreferences'),
    throttle: loginThrottle,
    hmacKeys,
    now: clock,
    newId: ids,
    brand,
  },
  act: (deps, proof, { ipAddress }) => undoEmailChange(deps, proof, ipAddress),
})
