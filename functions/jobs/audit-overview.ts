import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { userLists } from '#lib/accounts/user-lists.dynamo'
import { overview } from '#lib/administration/overview/overview-store.dynamo'
import { auditOverview } from '#lib/administration/overview/rebuild-overview'
import { progress } from '#lib/dynamo/progress.dynamo'
import { enquiryReader } from '#lib/enquiries/enquiry-store.dynamo'
import { job } from '#lib/http/job'
import { clock } from '#lib/http/runtime'
import { listingReader } from '#lib/listings/listing-reader.dynamo'
import { callbackReader } from '#lib/payments/callbacks/callback-store.dynamo'
import { paymentReader } from '#lib/payments/payment-store.dynamo'
import { payoutReader } from '#lib/payouts/payout-store.dynamo'
import { reportReader } from '#lib/reports/report-store.dynamo'

export const { spec, handler } = job({
  name: 'auditOverview',
  summary: 'Compares the administrators’ overview with what it counts, and corrects what differs',
  deps: {
    accounts: accountReader,
    userLists,
    listings: listingReader,
    reports: reportReader,
    enquiries: enquiryReader,
    callbacks: callbackReader,
    payments: paymentReader,
    payouts: payoutReader,
    overview,
    progress,
    now: clock,
  },
  run: (_event, deps) => auditOverview(deps),
})
