import { unproven } from '#lib/config'
import { enquiryStore } from '#lib/enquiries/enquiry-store.dynamo'
import { listingStore } from '#lib/listings/listing-store.dynamo'
import { agentAccounts } from './ledger/agent-accounts.dynamo.ts'
import { books } from './ledger/books.dynamo.ts'
import { paymentStore } from './payment-store.dynamo.ts'
import { requestStore } from './requests/request-store.dynamo.ts'
import { holdStore } from './reservations/hold-store.dynamo.ts'

const BECAUSE = 'what changes with a payment depends on what it is for and how it stands'

/** The stores that a change of a payment reads and writes; a function spreads them into its dependencies. */
export const paymentChangeStores = {
  payments: unproven(
    paymentStore.only('get', 'byReference', 'save', 'unchanged', 'record', 'post', 'commit'),
    BECAUSE,
  ),
  requests: unproven(requestStore.only('get', 'replace'), BECAUSE),
  holds: unproven(holdStore, BECAUSE),
  enquiries: unproven(enquiryStore.only('countRequests'), BECAUSE),
  listings: unproven(
    listingStore.only('get', 'replace', 'recordMove', 'availabilityCalls', 'requireAvailabilityCalls'),
    BECAUSE,
  ),
  agentAccounts: unproven(agentAccounts.only('get', 'change'), BECAUSE),
  books: unproven(books.only('book'), BECAUSE),
}
