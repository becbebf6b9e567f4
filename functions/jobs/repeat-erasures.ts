import { accounts } from '#lib/accounts/account-store.dynamo'
import { passwords } from '#lib/accounts/passwords/password-store.dynamo'
import { factors } from '#lib/accounts/second-factor/factor-store.dynamo'
import { sessionEraser } from '#lib/accounts/sessions/session-eraser.dynamo'
import { idempotencyErasure } from '#lib/dynamo/idempotency-erasure.dynamo'
import { enquiries } from '#lib/enquiries/enquiry-store.dynamo'
import { favourites } from '#lib/favourites/favourite-store.dynamo'
import { job } from '#lib/http/job'
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
import { payoutAccounts } from '#lib/payouts/payout-account-store.dynamo'
import { payoutSettings } from '#lib/payouts/payout-settings'
import { payouts } from '#lib/payouts/payout-store.dynamo'
import { deletions } from '#lib/privacy/deletions.dynamo'
import { exportEraser } from '#lib/privacy/export-files.s3'
import { mailErasure } from '#lib/privacy/mail-erasure'
import { ErasuresToRepeat, repeatErasures } from '#lib/privacy/repeat-erasures'
import { reports } from '#lib/reports/report-store.dynamo'
import { matches } from '#lib/saved-searches/match-store.dynamo'
import { searches } from '#lib/saved-searches/saved-search-store.dynamo'
export const { spec, handler } = job({
  name: 'repeatErasures',
  summary: 'Erases people whom a restored table has brought back; run it again until nobody is `waiting`',
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
    passwords,
    factors,
    payouts,
    payoutAccounts,
    payoutSettings,
    deletions,
    now: clock,
    newId: ids,
  },
  run: (event, deps) => repeatErasures(withFollowers(deps), ErasuresToRepeat.parse(event)),
})
