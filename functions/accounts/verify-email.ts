import { accountStore } from '#lib/accounts/account-store.dynamo'
import { mailedLinks } from '#lib/accounts/mailed-links/mailed-links.dynamo'
import { EmailProof, verifyEmail } from '#lib/accounts/mailed-links/verify-email'
import { hmacKeys } from '#lib/hmac-keys'
import { endpoint } from '#lib/http/endpoint'
import { clock } from '#lib/http/runtime'

export const { spec, handler } = endpoint({
  route: 'POST /auth/email/verify',
  summary: 'Verify an e-mail by the link mailed to it',
  access: 'public',
  input: { body: EmailProof },
  output: { 204: null },
  problems: ['invalid_token'],
  deps: { accounts: accountStore, links: mailedLinks, hmacKeys, now: clock },
  run: ({ body }, deps) => verifyEmail(deps, body),
})
