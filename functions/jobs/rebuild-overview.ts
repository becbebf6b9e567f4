import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { userLists } from '#lib/accounts/user-lists.dynamo'
import { overviewStore } from '#lib/administration/overview/overview-store.dynamo'
import { rebuildOverview } from '#lib/administration/overview/rebuild-overview'
import { progress } from '#lib/dynamo/progress.dynamo'
import { enquiryStore } from '#lib/enquiries/enquiry-store.dynamo'
import { job } from '#lib/http/job'
import { clock } from '#lib/http/runtime'
import { listingStore } from '#lib/listings/listing-store.dynamo'
import { callbackStore } from '#lib/payments/callbacks/callback-store.dynamo'
import { paymentStore } from '#lib/payments/payment-store.dynamo'
import { payoutRecords } from '#lib/payments/payouts/payout-store.dynamo'
import { reportStore } from '#lib/reports/report-store.dynamo'

export const { spec, handler } = job({
  name: 'rebuildOverview',
  summary: 'Counts the administrators’ overview again; run it again until it answers `isDone`',
  deps: {
    accounts: accountReader,
    userLists,
    listings: listingStore,
    reports: reportStore,
    enquiries: enquiryStore,
    callbacks: callbackStore,
    payments: paymentStore,
    payouts: payoutRecords,
    overview: overviewStore,
    progress,
    now: clock,
  },
  run: (_event, deps) => rebuildOverview(deps),
})
