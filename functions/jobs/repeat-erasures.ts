import { accountStore } from '#lib/accounts/account-store.dynamo'
import { passwordStore } from '#lib/accounts/passwords/password-store.dynamo'
import { factorStore } from '#lib/accounts/second-factor/factor-store.dynamo'
import { idempotencyErasure } from '#lib/dynamo/idempotency-erasure.dynamo'
import { favouriteStore } from '#lib/favourites/favourite-store.dynamo'
import { job } from '#lib/http/job'
import { clock, ids } from '#lib/http/runtime'
import { documentFiles } from '#lib/kyc/document-files.s3'
import { kycStore } from '#lib/kyc/kyc-store.dynamo'
import { notificationStore } from '#lib/notifications/notification-store.dynamo'
import { callbackStore } from '#lib/payments/callbacks/callback-store.dynamo'
import { paymentChangeStores } from '#lib/payments/payment-change-stores.dynamo'
import { payoutSettings } from '#lib/payments/payouts/payout-settings'
import { payoutStore } from '#lib/payments/payouts/payout-store.dynamo'
import { deletions } from '#lib/privacy/deletions.dynamo'
import { exportFiles } from '#lib/privacy/export-files.s3'
import { mailErasure } from '#lib/privacy/mail-erasure'
import { ErasuresToRepeat, repeatErasures } from '#lib/privacy/repeat-erasures'
import { reportStore } from '#lib/reports/report-store.dynamo'
import { matchStore } from '#lib/saved-searches/match-store.dynamo'
import { savedSearchStore } from '#lib/saved-searches/saved-search-store.dynamo'

export const { spec, handler } = job({
  name: 'repeatErasures',
  summary: 'Erases people whom a restored table has brought back; run it again until nobody is `waiting`',
  deps: {
    accounts: accountStore,
    passwords: passwordStore,
    factors: factorStore,
    ...paymentChangeStores,
    payouts: payoutStore,
    payoutSettings,
    callbacks: callbackStore,
    mail: mailErasure,
    kycStore,
    notifications: notificationStore,
    reports: reportStore,
    favourites: favouriteStore,
    searches: savedSearchStore,
    matches: matchStore,
    files: documentFiles,
    exports: exportFiles,
    answers: idempotencyErasure,
    deletions,
    now: clock,
    newId: ids,
  },
  run: (event, deps) => repeatErasures(deps, ErasuresToRepeat.parse(event)),
})
