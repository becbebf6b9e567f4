import { accountStore } from '#lib/accounts/account-store.dynamo'
import { idempotencyErasure } from '#lib/dynamo/idempotency-erasure.dynamo'
import { enquiryStore } from '#lib/enquiries/enquiry-store.dynamo'
import { job } from '#lib/http/job'
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
import { mailErasure } from '#lib/privacy/mail-erasure'
import { ErasuresToRepeat, repeatErasures } from '#lib/privacy/repeat-erasures'
import { reportStore } from '#lib/reports/report-store.dynamo'

export const { spec, handler } = job({
  name: 'repeatErasures',
  summary: 'Erases people whom a restored table has brought back; run it again until nobody is `waiting`',
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
  run: (event, deps) => repeatErasures(deps, ErasuresToRepeat.parse(event)),
})
