import { accounts } from '#lib/accounts/account-store.dynamo'
import { mailedLinks } from '#lib/accounts/mailed-links/mailed-links.dynamo'
import { passwordMinLength } from '#lib/accounts/passwords/password-settings'
import { passwords } from '#lib/accounts/passwords/password-store.dynamo'
import { PasswordReset, resetPassword } from '#lib/accounts/passwords/reset-password'
import { factors } from '#lib/accounts/second-factor/factor-store.dynamo'
import { loginThrottle } from '#lib/accounts/throttle/throttle.dynamo'
import { hmacKeys } from '#lib/config/keys'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { kycStore } from '#lib/kyc/kyc-store.dynamo'
import { notifications } from '#lib/notifications/notification-store.dynamo'
import { payoutAccounts } from '#lib/payouts/payout-account-store.dynamo'
import { takeBack } from '#lib/privacy/take-back'
import { takeBacks } from '#lib/privacy/take-backs.dynamo'

export const { spec, handler } = endpoint({
  route: 'POST /auth/password/reset',
  summary: 'Set a new password by a mailed link',
  description:
    'Signs every device out and voids every other reset link. The first reset of an address that was never verified takes ' +
    'the account back for the owner of the address, since somebody else may have registered it: the address is verified, ' +
    'listings are archived, and what was entered before is cleared. PENDING payments and open reports end, and earlier ' +
    'payments are shown to administrators alone. A ban stays until an administrator lifts it.',
  access: 'public',
  input: { body: PasswordReset },
  output: { 204: null },
  problems: ['invalid_token', 'weak_password', 'too_many_requests'],
  deps: {
    accounts,
    passwords,
    factors,
    mailedLinks,
    kycStore,
    notifications,
    payoutAccounts,
    takeBacks,
    throttle: loginThrottle,
    hmacKeys,
    passwordMinLength,
    now: clock,
    newId: ids,
  },
  run: ({ body, request }, deps) => resetPassword({ ...deps, takeBack: takeBack(deps) }, body, request),
})
