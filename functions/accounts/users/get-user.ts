import { administrator } from '#lib/accounts/access'
import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { getUser, UserInFull } from '#lib/administration/get-user'
import { enquiryReader } from '#lib/enquiries/enquiry-store.dynamo'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { journal } from '#lib/journal/journal.dynamo'
import { UserId } from '#lib/kernel/id'
import { kycReader } from '#lib/kyc/kyc-store.dynamo'
import { listingReader } from '#lib/listings/listing-reader.dynamo'
import { paymentReader } from '#lib/payments/payment-store.dynamo'
import { reportReader } from '#lib/reports/report-store.dynamo'

export const { spec, handler } = endpoint({
  route: 'GET /admin/users/{id}',
  summary: 'A user',
  description:
    'With the agent profile, the last 20 decisions about their identity, newest first, and the counts of ' +
    'their records: listings by status, payments that they started, reports that they made or that were made of their ' +
    'listings, enquiries that they sent or received. Reports and enquiries are counted up to 1,000 each. ' +
    'The journal records that the administrator read them.',
  access: administrator(['support']),
  input: { params: { id: UserId } },
  output: { 200: UserInFull },
  deps: {
    accounts: accountReader,
    kycStore: kycReader,
    listings: listingReader,
    payments: paymentReader,
    reports: reportReader,
    enquiries: enquiryReader,
    journal,
    now: clock,
    newId: ids,
  },
  run: ({ actor, params }, deps) => getUser(deps, actor.subject, params.id),
})
