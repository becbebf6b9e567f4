import { accountStore } from '#lib/accounts/account-store.dynamo'
import { idempotencyErasure } from '#lib/dynamo/idempotency-erasure.dynamo'
import { readNewItem } from '#lib/dynamo/stream'
import { favouriteStore } from '#lib/favourites/favourite-store.dynamo'
import { consumer } from '#lib/http/consumer'
import { clock, ids } from '#lib/http/runtime'
import { documentFiles } from '#lib/kyc/document-files.s3'
import { kycStore } from '#lib/kyc/kyc-store.dynamo'
import { notificationStore } from '#lib/notifications/notification-store.dynamo'
import { callbackStore } from '#lib/payments/callbacks/callback-store.dynamo'
import { paymentChangeStores } from '#lib/payments/payment-change-stores.dynamo'
import { deletions } from '#lib/privacy/deletions.dynamo'
import { exportFiles } from '#lib/privacy/export-files.s3'
import { followAccount } from '#lib/privacy/follow-account'
import { mailErasure } from '#lib/privacy/mail-erasure'
import { reportStore } from '#lib/reports/report-store.dynamo'
import { matchStore } from '#lib/saved-searches/match-store.dynamo'
import { savedSearchStore } from '#lib/saved-searches/saved-search-store.dynamo'

export const { spec, handler } = consumer({
  name: 'followAccounts',
  summary: 'Carries out the consequences of a change of eligibility, a take-back or the end of an account',
  deps: {
    accounts: accountStore,
    ...paymentChangeStores,
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
  read: readNewItem,
  run: (item, deps) => followAccount(deps, item),
})
