import { accountStore } from '#lib/accounts/account-store.dynamo'
import { confirmEmailChange } from '#lib/accounts/addresses/confirm-email-change'
import { donePage } from '#lib/accounts/mailed-links/link-page'
import { mailedLinks } from '#lib/accounts/mailed-links/mailed-links.dynamo'
import { EmailProof } from '#lib/accounts/mailed-links/verify-email'
import { loginThrottle } from '#lib/accounts/throttle/throttle.dynamo'
import { hmacKeys } from '#lib/hmac-keys'
import { endpoint } from '#lib/http/endpoint'
import { content } from '#lib/http/reply'
import { clock, ids } from '#lib/http/runtime'
import { localeFor } from '#lib/kernel/locale'
import { mailRequests } from '#lib/mail/mail-requests.dynamo'

export const { spec, handler } = endpoint({
  route: 'POST /change-email',
  summary: 'Change an e-mail by the button of its page',
  description: 'Answers a page that says that it is done.',
  access: 'public',
  input: { query: EmailProof },
  output: { 200: content('text/html; charset=utf-8') },
  problems: ['invalid_token', 'email_taken', 'too_many_requests'],
  isSecret: true,
  deps: {
    accounts: accountStore,
    links: mailedLinks,
    throttle: loginThrottle,
    hmacKeys,
    now: clock,
    mails: mailRequests,
    newId: ids,
  },
  run: async ({ query, request }, deps) => {
    await confirmEmailChange(deps, query, request.ipAddress)
    return donePage('email-change', localeFor(request.acceptLanguage))
  },
})
