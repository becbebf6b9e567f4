import { accountStore } from '#lib/accounts/account-store.dynamo'
import { mailedLinks } from '#lib/accounts/mailed-links/mailed-links.dynamo'
import { passwordStore } from '#lib/accounts/passwords/password-store.dynamo'
import { factorStore } from '#lib/accounts/second-factor/factor-store.dynamo'
import { withUsesTestedElsewhere } from '#lib/config/config'
import { kycStore } from '#lib/kyc/kyc-store.dynamo'
import { notificationStore } from '#lib/notifications/notification-store.dynamo'
import { payoutStore } from '#lib/payouts/payout-store.dynamo'
import { takeBacks } from './take-backs.dynamo.ts'

/** The reason for which no test of a function has to show every permission of a store. */
const SHARED = 'the form and the JSON endpoint share the reset, and the tests try all of it on one of them'

/** The stores that a password reset changes, those of a take-back included. */
export const passwordResetStores = {
  accounts: accountStore.only('get', 'save'),
  passwords: passwordStore.only('put'),
  factors: withUsesTestedElsewhere(factorStore.only('get', 'replace', 'unscheduleRemoval'), SHARED),
  mailedLinks: mailedLinks.only('get', 'use'),
  kycStore: withUsesTestedElsewhere(
    kycStore.only('insertDecision', 'moveExpiry', 'recordAnnouncement'),
    SHARED,
  ),
  notifications: withUsesTestedElsewhere(notificationStore.only('setPreferences'), SHARED),
  payouts: withUsesTestedElsewhere(payoutStore.only('removeAccount'), SHARED),
  takeBacks: withUsesTestedElsewhere(takeBacks, SHARED),
}
