import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { userLists } from '#lib/accounts/user-lists.dynamo'
import { overviewStore } from '#lib/administration/overview/overview-store.dynamo'
import { auditOverview } from '#lib/administration/overview/rebuild-overview'
import { allowUntested } from '#lib/config'
import { progress } from '#lib/dynamo/progress.dynamo'
import { enquiryStore } from '#lib/enquiries/enquiry-store.dynamo'
import { job } from '#lib/http/job'
import { clock } from '#lib/http/runtime'
import { listingStore } from '#lib/listings/listing-store.dynamo'
import { callbackStore } from '#lib/payments/callbacks/callback-store.dynamo'
import { paymentStore } from '#lib/payments/payment-store.dynamo'
import { payoutStore } from '#lib/payments/payouts/payout-store.dynamo'
import { reportStore } from '#lib/reports/report-store.dynamo'

const WALKS = 'reads the records of the lists that it walks, where these hold any'

export const { spec, handler } = job({
  name: 'auditOverview',
  summary: 'Compares the administrators’ overview with what it counts, and corrects what differs',
  deps: {
    accounts: accountReader,
    userLists,
    listings: listingStore.only('get', 'queued'),
    reports: reportStore.only('get', 'open'),
    enquiries: allowUntested(enquiryStore.only('get', 'reported'), WALKS),
    callbacks: allowUntested(callbackStore.only('get', 'list'), WALKS),
    payments: paymentStore.only('get', 'list'),
    payouts: payoutStore.only('get', 'list'),
    overview: allowUntested(overviewStore.only('share', 'recount', 'waiting', 'commit'), WALKS),
    progress,
    now: clock,
  },
  run: (_event, deps) => auditOverview(deps),
})
