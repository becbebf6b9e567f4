import { administrator } from '#lib/accounts/access'
import { accountStore } from '#lib/accounts/account-store.dynamo'
import { sessionStore } from '#lib/accounts/sessions/session-store.dynamo'
import { userLists } from '#lib/accounts/user-lists.dynamo'
import { SearchQuery, SearchResult, search } from '#lib/administration/search/search'
import { enquiryStore } from '#lib/enquiries/enquiry-store.dynamo'
import { eventLog } from '#lib/events/event-log.dynamo'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { journal } from '#lib/journal/journal.dynamo'
import { CONSOLE_ROLES } from '#lib/kernel/console-role'
import { kycStore } from '#lib/kyc/kyc-store.dynamo'
import { listingStore } from '#lib/listings/listing-store.dynamo'
import { requestStore } from '#lib/payment-requests/request-store.dynamo'
import { callbackStore } from '#lib/payments/callbacks/callback-store.dynamo'
import { paymentStore } from '#lib/payments/payment-store.dynamo'
import { references } from '#lib/payments/references.dynamo'
import { payoutStore } from '#lib/payouts/payout-store.dynamo'

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
    accounts: accountStore.only('get', 'byEmail'),
    userLists,
    sessions: sessionStore.only('get'),
    kycStore: kycStore.only('ownerOf'),
    listings: listingStore.only('get', 'titled', 'ofMedia'),
    enquiries: enquiryStore.only('get', 'ofMessage'),
    payments: paymentStore.only('get'),
    payouts: payoutStore.only('get'),
    references,
    requests: requestStore.only('get'),
    callbacks: callbackStore.only('get'),
    journal: journal.only('record', 'commit', 'get'),
    events: eventLog.only('get'),
    now: clock,
    newId: ids,
  },
  run: ({ actor, query }, deps) => search(deps, actor, query),
})
