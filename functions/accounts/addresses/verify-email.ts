import { accounts } from '#lib/accounts/account-store.dynamo'
import { LinkProof } from '#lib/accounts/mailed-links/mailed-link'
import { mailedLinkReader } from '#lib/accounts/mailed-links/mailed-links.dynamo'
import { verifyEmail } from '#lib/accounts/mailed-links/verify-email'
import { loginThrottle } from '#lib/accounts/throttle/throttle.dynamo'
import { hmacKeys } from '#lib/config/keys'
import { endpoint } from '#lib/http/endpoint'
import { clock } from '#lib/http/runtime'

export const { spec, handler } = endpoint({
  route: 'POST /auth/email/verify',
  summary: 'Verify an e-mail address by the link mailed to it',
  description:
    "The link works repeatedly until it expires: while its address is the account's and verified, it answers 204 again. " +
    'A link that is unknown, void or expired is a 400 `invalid_token`; `POST /auth/email/verification` mails another.',
  access: 'public',
  input: { body: LinkProof },
  output: { 204: null },
  problems: ['invalid_token', 'too_many_requests'],
  deps: { accounts, mailedLinks: mailedLinkReader, throttle: loginThrottle, hmacKeys, now: clock },
  run: ({ body, request }, deps) => verifyEmail(deps, body, request.ipAddress),
})
