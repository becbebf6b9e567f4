import { administrator } from '#lib/accounts/access'
import { accountFinder } from '#lib/accounts/account-reader.dynamo'
import { sessionReader } from '#lib/accounts/sessions/session-store.dynamo'
import { userLists } from '#lib/accounts/user-lists.dynamo'
import { SearchQuery, SearchResult, search } from '#lib/administration/search/search'
import { enquiryReader } from '#lib/enquiries/enquiry-store.dynamo'
import { events } from '#lib/events/event-log.dynamo'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { journal } from '#lib/journal/journal.dynamo'
import { CONSOLE_ROLES } from '#lib/kernel/console-role'
import { kycReader } from '#lib/kyc/kyc-store.dynamo'
import { listingReader } from '#lib/listings/listing-reader.dynamo'
import { requestReader } from '#lib/payment-requests/request-store.dynamo'
import { callbackReader } from '#lib/payments/callbacks/callback-store.dynamo'
import { paymentReader } from '#lib/payments/payment-store.dynamo'
import { references } from '#lib/payments/references.dynamo'
import { payoutReader } from '#lib/payouts/payout-store.dynamo'

export const { spec, handler } = endpoint({
  route: 'GET /admin/search',
  summary: 'Find users, listings, payments, enquiries, callbacks, payouts and events',
  description:
    '`q` is an id of any kind, a receipt’s number, an e-mail, a telephone number, beginnings of words of a name or title, or ' +
    'a provider’s reference. At most 20 results. An id of media, a document, a refund, a message, a payment request, a session ' +
    'or an action finds the record that it belongs to. A reference also finds callbacks that wait. The journal records each search.',
  access: administrator(CONSOLE_ROLES),
  input: { query: SearchQuery },
  output: { 200: SearchResult },
  deps: {
    accounts: accountFinder,
    userLists,
    sessions: sessionReader,
    kycStore: kycReader,
    listings: listingReader,
    enquiries: enquiryReader,
    payments: paymentReader,
    payouts: payoutReader,
    references,
    requests: requestReader,
    callbacks: callbackReader,
    journal,
    events,
    now: clock,
    newId: ids,
  },
  run: ({ actor, query }, deps) => search(deps, actor, query),
})
