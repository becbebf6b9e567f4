import { accountStore } from '#lib/accounts/account-store.dynamo'
import { submitLinkPage } from '#lib/accounts/mailed-links/link-page-endpoint'
import { mailedLinks } from '#lib/accounts/mailed-links/mailed-links.dynamo'
import { verifyEmail } from '#lib/accounts/mailed-links/verify-email'
import { loginThrottle } from '#lib/accounts/throttle/throttle.dynamo'
import { hmacKeys } from '#lib/hmac-keys'
import { clock } from '#lib/http/runtime'

export const { spec, handler } = submitLinkPage({
  route: 'POST /verify-email',
  purpose: 'email-verification',
  summary: 'Verify an e-mail by the button of its page',
  problems: ['invalid_token', 'too_many_requests'],
  deps: { accounts: accountStore, mailedLinks, throttle: loginThrottle, hmacKeys, now: clock },
  act: verifyEmail,
})
