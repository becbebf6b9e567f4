import { withUsesTestedElsewhere } from '#lib/config'
import { enquiryStore } from '#lib/enquiries/enquiry-store.dynamo'
import { listingStore } from '#lib/listings/listing-store.dynamo'
import { agentAccounts } from './ledger/agent-accounts.dynamo.ts'
import { books } from './ledger/books.dynamo.ts'
import { paymentStore } from './payment-store.dynamo.ts'
import { requestStore } from './requests/request-store.dynamo.ts'
import { holdStore } from './reservations/hold-store.dynamo.ts'

const BECAUSE = 'what changes with a payment depends on its purpose and its status'

/** The stores that a change of a payment reads and writes; a function spreads them into its dependencies. */
export const paymentChangeStores = {
  payments: withUsesTestedElsewhere(
    paymentStore.only('get', 'byReference', 'save', 'unchanged', 'recordMove', 'post', 'commit'),
    BECAUSE,
  ),
  requests: withUsesTestedElsewhere(requestStore.only('get', 'replace'), BECAUSE),
  holds: withUsesTestedElsewhere(holdStore, BECAUSE),
  enquiries: withUsesTestedElsewhere(enquiryStore.only('countRequests'), BECAUSE),
  listings: withUsesTestedElsewhere(
    listingStore.only('get', 'replace', 'recordMove', 'availabilityCalls', 'requireAvailabilityCalls'),
    BECAUSE,
  ),
  agentAccounts: withUsesTestedElsewhere(agentAccounts.only('get', 'change'), BECAUSE),
  books: withUsesTestedElsewhere(books.only('book'), BECAUSE),
}
