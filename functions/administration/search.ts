import { administrator } from '#lib/accounts/access'
import { accountStore } from '#lib/accounts/account-store.dynamo'
import { directory } from '#lib/accounts/directory.dynamo'
import { sessionStore } from '#lib/accounts/sessions/session-store.dynamo'
import { SearchQuery, SearchResult, search } from '#lib/administration/search/search'
import { enquiryStore } from '#lib/enquiries/enquiry-store.dynamo'
import { eventLog } from '#lib/events/event-log.dynamo'
import { endpoint } from '#lib/http/endpoint'
import { clock } from '#lib/http/runtime'
import { journal } from '#lib/journal/journal.dynamo'
import { kycRecords } from '#lib/kyc/kyc-records.dynamo'
import { listingStore } from '#lib/listings/listing-store.dynamo'
import { inbox } from '#lib/payments/callbacks/inbox.dynamo'
import { paymentStore } from '#lib/payments/payment-store.dynamo'
import { references } from '#lib/payments/references/references.dynamo'
import { requestStore } from '#lib/payments/requests/request-store.dynamo'

export const { spec, handler } = endpoint({
  route: 'GET /admin/search',
  summary: 'Find users, listings, payments, enquiries, notifications and events',
  description:
    '`q` is an id of any kind, a receipt’s number, an e-mail, a telephone number, the beginning of a name or a provider’s ' +
    'reference; at most 20. The id of a part (media, document, refund, message, payment request, session, entry of ' +
    'the journal) answers what it belongs to; an unknown one nothing. A reference also finds notifications that wait.',
  access: administrator,
  input: { query: SearchQuery },
  output: { 200: SearchResult },
  deps: {
    accounts: accountStore,
    directory,
    sessions: sessionStore,
    records: kycRecords,
    listings: listingStore,
    enquiries: enquiryStore,
    payments: paymentStore,
    references,
    requests: requestStore,
    inbox,
    journal,
    events: eventLog,
    now: clock,
  },
  run: ({ query }, deps) => search(deps, query),
})
