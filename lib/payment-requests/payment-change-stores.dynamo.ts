import { withUsesTestedElsewhere } from '#lib/config/config'
import { enquiryStore } from '#lib/enquiries/enquiry-store.dynamo'
import { agentAccounts } from '#lib/ledger/agent-accounts.dynamo'
import { books } from '#lib/ledger/books.dynamo'
import { listingStore } from '#lib/listings/listing-store.dynamo'
import { holdStore } from '#lib/payment-requests/holds/hold-store.dynamo'
import { paymentStore } from '#lib/payments/payment-store.dynamo'
import { requestStore } from './request-store.dynamo.ts'

const BECAUSE = 'what changes with a payment depends on its purpose and its status'

/** The stores that a change of a payment reads and writes; a function spreads them into its dependencies. */
export const paymentChangeStores = {
  payments: withUsesTestedElsewhere(
    paymentStore.only('get', 'byReference', 'save', 'unchanged', 'recordMove', 'commit'),
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
  books: withUsesTestedElsewhere(books.only('book', 'post'), BECAUSE),
}
