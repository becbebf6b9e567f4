import { accounts } from '#lib/accounts/account-store.dynamo'
import { sessionEraser } from '#lib/accounts/sessions/session-eraser.dynamo'
import { idempotencyErasure } from '#lib/dynamo/idempotency-erasure.dynamo'
import { readNewItem } from '#lib/dynamo/stream'
import { enquiries } from '#lib/enquiries/enquiry-store.dynamo'
import { favourites } from '#lib/favourites/favourite-store.dynamo'
import { consumer } from '#lib/http/consumer'
import { clock, ids } from '#lib/http/runtime'
import { journalReader } from '#lib/journal/journal.dynamo'
import { documentEraser } from '#lib/kyc/document-files.s3'
import { kycStore } from '#lib/kyc/kyc-store.dynamo'
import { agentAccounts } from '#lib/ledger/agent-accounts.dynamo'
import { books } from '#lib/ledger/books.dynamo'
import { listings } from '#lib/listings/listing-store.dynamo'
import { notifications } from '#lib/notifications/notification-store.dynamo'
import { withFollowers } from '#lib/payment-requests/followers'
import { holds } from '#lib/payment-requests/holds/hold-store.dynamo'
import { requests } from '#lib/payment-requests/request-store.dynamo'
import { callbacks } from '#lib/payments/callbacks/callback-store.dynamo'
import { payments } from '#lib/payments/payment-store.dynamo'
import { deletions } from '#lib/privacy/deletions.dynamo'
import { exportEraser } from '#lib/privacy/export-files.s3'
import { followAccount } from '#lib/privacy/follow-account'
import { mailErasure } from '#lib/privacy/mail-erasure'
import { reports } from '#lib/reports/report-store.dynamo'
import { matches } from '#lib/saved-searches/match-store.dynamo'
import { searches } from '#lib/saved-searches/saved-search-store.dynamo'

export const { spec, handler } = consumer({
  name: 'followAccounts',
  summary:
    'Changes other records after an account is deleted, reclaimed by the owner of its address, or allowed or forbidden to publish',
  deps: {
    payments,
    requests,
    holds,
    enquiries,
    listings,
    agentAccounts,
    books,
    callbacks,
    mail: mailErasure,
    kycStore,
    sessions: sessionEraser,
    notifications,
    reports,
    favourites,
    searches,
    matches,
    journal: journalReader,
    files: documentEraser,
    exports: exportEraser,
    answers: idempotencyErasure,
    accounts,
    deletions,
    now: clock,
    newId: ids,
  },
  read: readNewItem,
  run: (item, deps) => followAccount(withFollowers(deps), item),
})
