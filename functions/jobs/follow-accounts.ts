import { accountStore } from '#lib/accounts/account-store.dynamo'
import { mailedLinks } from '#lib/accounts/mailed-links/mailed-links.dynamo'
import { idempotencyStore } from '#lib/dynamo/idempotency.dynamo'
import { readNewItem } from '#lib/dynamo/stream'
import { enquiryStore } from '#lib/enquiries/enquiry-store.dynamo'
import { consumer } from '#lib/http/consumer'
import { clock, ids } from '#lib/http/runtime'
import { documentFiles } from '#lib/kyc/document-files.s3'
import { kycRecords } from '#lib/kyc/kyc-records.dynamo'
import { listingStore } from '#lib/listings/listing-store.dynamo'
import { mailQueue } from '#lib/mail/mail-queue.dynamo'
import { inbox } from '#lib/notifications/inbox.dynamo'
import { inbox as callbacks } from '#lib/payments/callbacks/inbox.dynamo'
import { paymentStore } from '#lib/payments/payment-store.dynamo'
import { requestStore } from '#lib/payments/requests/request-store.dynamo'
import { holdStore } from '#lib/payments/reservations/hold-store.dynamo'
import { deletions } from '#lib/privacy/deletions.dynamo'
import { exportFiles } from '#lib/privacy/export-files.s3'
import { followAccount } from '#lib/privacy/follow-account'

import { reportStore } from '#lib/reports/report-store.dynamo'

export const { spec, handler } = consumer({
  name: 'followAccounts',
  summary:
    "Lets listings follow their agent's standing, archives those of accounts that were taken back, and erases what is left of accounts that have ended",
  deps: {
    accounts: accountStore,
    listings: listingStore,
    enquiries: enquiryStore,
    requests: requestStore,
    holds: holdStore,
    payments: paymentStore,
    callbacks,
    mails: mailQueue,
    links: mailedLinks,
    records: kycRecords,
    inbox,
    reports: reportStore,
    files: documentFiles,
    exports: exportFiles,
    answers: idempotencyStore,
    deletions,
    now: clock,
    newId: ids,
  },
  read: readNewItem,
  run: (item, deps) => followAccount(deps, item),
})
