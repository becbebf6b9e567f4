import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { changedSubject, overview } from '#lib/administration/overview/overview-store.dynamo'
import { recount } from '#lib/administration/overview/recount'
import { readChange } from '#lib/dynamo/stream'
import { enquiryReader } from '#lib/enquiries/enquiry-store.dynamo'
import { consumer } from '#lib/http/consumer'
import { clock } from '#lib/http/runtime'
import { listingReader } from '#lib/listings/listing-reader.dynamo'
import { callbackReader } from '#lib/payments/callbacks/callback-store.dynamo'
import { paymentReader } from '#lib/payments/payment-store.dynamo'
import { payoutReader } from '#lib/payouts/payout-store.dynamo'
import { reportReader } from '#lib/reports/report-store.dynamo'

export const { spec, handler } = consumer({
  name: 'countOverview',
  summary: 'Keeps the counters of the administrators’ overview',
  deps: {
    accounts: accountReader,
    listings: listingReader,
    reports: reportReader,
    enquiries: enquiryReader,
    callbacks: callbackReader,
    payments: paymentReader,
    payouts: payoutReader,
    overview,
    now: clock,
  },
  read: (body) => changedSubject(readChange(body)),
  run: async (subject, deps) => subject !== undefined && recount(deps, subject),
})
