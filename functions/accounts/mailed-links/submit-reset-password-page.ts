import { accounts } from '#lib/accounts/account-store.dynamo'
import { Renewal, submitLinkPage } from '#lib/accounts/mailed-links/link-page-endpoint'
import { mailedLinks } from '#lib/accounts/mailed-links/mailed-links.dynamo'
import { requestPasswordReset } from '#lib/accounts/mailed-links/request-mail'
import { NewPassword } from '#lib/accounts/passwords/password'
import { passwordMinLength } from '#lib/accounts/passwords/password-settings'
import { passwords } from '#lib/accounts/passwords/password-store.dynamo'
import { passwordForm } from '#lib/accounts/passwords/reset-page'
import { PasswordReset, resetPassword } from '#lib/accounts/passwords/reset-password'
import { factors } from '#lib/accounts/second-factor/factor-store.dynamo'
import { loginThrottle } from '#lib/accounts/throttle/throttle.dynamo'
import { hmacKeys } from '#lib/config/keys'
import { clock, ids } from '#lib/http/runtime'
import { kycStore } from '#lib/kyc/kyc-store.dynamo'
import { mailRequests } from '#lib/mail/mail-requests.dynamo'
import { notifications } from '#lib/notifications/notification-store.dynamo'
import { brand } from '#lib/pages/brand'
import { payoutAccounts } from '#lib/payouts/payout-account-store.dynamo'
import { takeBack } from '#lib/privacy/take-back'
import { takeBacks } from '#lib/privacy/take-backs.dynamo'

export const { spec, handler } = submitLinkPage({
  route: 'POST /reset-password',
  purpose: 'password-reset',
  summary: 'Reset a password by the form of its page',
  description:
    'Answers a page that says that it is done. With an `email` in place of token and password it mails a new link to that ' +
    'address, as `POST /auth/password/forgot` does.',
  problems: ['invalid_token', 'weak_password', 'too_many_requests'],
  proof: PasswordReset,
  body: Renewal.extend({ newPassword: NewPassword.optional() }).meta({
    example: { email: 'awa@example.com' },
  }),
  deps: {
    accounts,
    passwords,
    factors,
    mailedLinks,
    kycStore,
    notifications,
    payoutAccounts,
    takeBacks,
    mails: mailRequests,
    throttle: loginThrottle,
    hmacKeys,
    now: clock,
    passwordMinLength,
    newId: ids,
    brand,
  },
  // At the first reset of a never verified address, `takeBack` gives the account to the owner of the address.
  act: (deps, proof, request) => resetPassword({ ...deps, takeBack: takeBack(deps) }, proof, request),
  renew: requestPasswordReset,
  formOf: (deps, locale, refusal) => passwordForm(locale, deps.passwordMinLength, refusal),
})
