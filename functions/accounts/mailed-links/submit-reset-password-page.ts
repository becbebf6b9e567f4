import { accountStore } from '#lib/accounts/account-store.dynamo'
import { donePage } from '#lib/accounts/mailed-links/link-page'
import { LinkProof } from '#lib/accounts/mailed-links/mailed-link'
import { mailedLinks } from '#lib/accounts/mailed-links/mailed-links.dynamo'
import { passwordMinLength } from '#lib/accounts/passwords/password-settings'
import { passwordStore } from '#lib/accounts/passwords/password-store.dynamo'
import { PasswordReset, resetPassword } from '#lib/accounts/passwords/reset-password'
import { factorStore } from '#lib/accounts/second-factor/factor-store.dynamo'
import { loginThrottle } from '#lib/accounts/throttle/throttle.dynamo'
import { hmacKeys } from '#lib/hmac-keys'
import { endpoint } from '#lib/http/endpoint'
import { content } from '#lib/http/reply'
import { clock, ids } from '#lib/http/runtime'
import { localeFor } from '#lib/kernel/locale'
import { kycStore } from '#lib/kyc/kyc-store.dynamo'
import { takeBack } from '#lib/privacy/take-back'
import { takeBacks } from '#lib/privacy/take-backs.dynamo'

export const { spec, handler } = endpoint({
  route: 'POST /reset-password',
  summary: 'Reset a password by the form of its page',
  description: 'Answers a page that says that it is done.',
  access: 'public',
  input: { query: LinkProof, body: PasswordReset.pick({ newPassword: true }) },
  output: { 200: content('text/html; charset=utf-8') },
  problems: ['invalid_token', 'weak_password', 'too_many_requests'],
  isSecret: true,
  deps: {
    accounts: accountStore,
    passwords: passwordStore,
    factors: factorStore,
    mailedLinks,
    throttle: loginThrottle,
    hmacKeys,
    now: clock,
    passwordMinLength,
    kycStore,
    takeBacks,
    newId: ids,
  },
  run: async ({ query, body, request }, deps) => {
    await resetPassword({ ...deps, takeBack: takeBack(deps) }, { ...query, ...body }, request)
    return donePage('password-reset', localeFor(request.acceptLanguage))
  },
})
