import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { changedSubject, overviewStore } from '#lib/administration/overview/overview-store.dynamo'
import { recount } from '#lib/administration/overview/recount'
import { readChange } from '#lib/dynamo/stream'
import { enquiryStore } from '#lib/enquiries/enquiry-store.dynamo'
import { consumer } from '#lib/http/consumer'
import { clock } from '#lib/http/runtime'
import { listingReader } from '#lib/listings/listing-reader.dynamo'
import { callbackStore } from '#lib/payments/callbacks/callback-store.dynamo'
import { paymentStore } from '#lib/payments/payment-store.dynamo'
import { payoutStore } from '#lib/payouts/payout-store.dynamo'
import { reportStore } from '#lib/reports/report-store.dynamo'

export const { spec, handler } = consumer({
  name: 'countOverview',
  summary: 'Keeps the counters of the administrators’ overview',
  deps: {
    accounts: accountReader,
    listings: listingReader,
    reports: reportStore.only('get'),
    enquiries: enquiryStore.only('get'),
    callbacks: callbackStore.only('get'),
    payments: paymentStore.only('get'),
    payouts: payoutStore.only('get'),
    overview: overviewStore.only('share', 'recount', 'commit'),
    now: clock,
  },
  read: (body) => changedSubject(readChange(body)),
  run: async (subject, deps) => subject !== undefined && recount(deps, subject),
})
