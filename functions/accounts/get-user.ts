import { administrator } from '#lib/accounts/access'
import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { getUser, UserInFull } from '#lib/administration/get-user'
import { enquiryStore } from '#lib/enquiries/enquiry-store.dynamo'
import { endpoint } from '#lib/http/endpoint'
import { clock } from '#lib/http/runtime'
import { UserId } from '#lib/kernel/id'
import { kycRecords } from '#lib/kyc/kyc-records.dynamo'
import { listingStore } from '#lib/listings/listing-store.dynamo'
import { reportStore } from '#lib/reports/report-store.dynamo'

export const { spec, handler } = endpoint({
  route: 'GET /admin/users/{id}',
  summary: 'A user',
  description:
    'With the agent profile, the last 20 decisions about their identity, newest first, and how much there is of ' +
    'theirs: listings by status, payments that they started, reports of listings that they made or that their ' +
    'listings have, enquiries that they sent or received. Reports and enquiries are counted up to 1,000 on each side.',
  access: administrator,
  input: { params: { id: UserId } },
  output: { 200: UserInFull },
  deps: {
    accounts: accountReader,
    records: kycRecords,
    listings: listingStore,
    reports: reportStore,
    enquiries: enquiryStore,
    now: clock,
  },
  run: ({ params }, deps) => getUser(deps, params.id),
})
