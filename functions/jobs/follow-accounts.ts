import { accountStore } from '#lib/accounts/account-store.dynamo'
import { idempotencyErasure } from '#lib/dynamo/idempotency-erasure.dynamo'
import { readNewItem } from '#lib/dynamo/stream'
import { enquiryStore } from '#lib/enquiries/enquiry-store.dynamo'
import { consumer } from '#lib/http/consumer'
import { clock, ids } from '#lib/http/runtime'
import { documentFiles } from '#lib/kyc/document-files.s3'
import { kycRecords } from '#lib/kyc/kyc-records.dynamo'
import { listingStore } from '#lib/listings/listing-store.dynamo'
import { inbox } from '#lib/notifications/inbox.dynamo'
import { inbox as callbacks } from '#lib/payments/callbacks/inbox.dynamo'
import { paymentStore } from '#lib/payments/payment-store.dynamo'
import { requestStore } from '#lib/payments/requests/request-store.dynamo'
import { holdStore } from '#lib/payments/reservations/hold-store.dynamo'
import { deletions } from '#lib/privacy/deletions.dynamo'
import { exportFiles } from '#lib/privacy/export-files.s3'
import { followAccount } from '#lib/privacy/follow-account'
import { mailErasure } from '#lib/privacy/mail-erasure'
import { reportStore } from '#lib/reports/report-store.dynamo'

export const { spec, handler } = consumer({
  name: 'followAccounts',
  summary: 'Does what a change of standing, a take-back or the end of an account asks for',
  deps: {
    accounts: accountStore,
    listings: listingStore,
    enquiries: enquiryStore,
    requests: requestStore,
    holds: holdStore,
    payments: paymentStore,
    callbacks,
    mail: mailErasure,
    records: kycRecords,
    inbox,
    reports: reportStore,
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
