import { enquiryStore } from '#lib/enquiries/enquiry-store.dynamo'
import { listingStore } from '#lib/listings/listing-store.dynamo'
import { agentAccounts } from './ledger/agent-accounts.dynamo.ts'
import { books } from './ledger/books.dynamo.ts'
import { paymentStore } from './payment-store.dynamo.ts'
import { requestStore } from './requests/request-store.dynamo.ts'
import { holdStore } from './reservations/hold-store.dynamo.ts'

/** The stores that a change of a payment reads and writes; a function spreads them into its dependencies. */
export const paymentChangeStores = {
  payments: paymentStore,
  requests: requestStore,
  holds: holdStore,
  enquiries: enquiryStore,
  listings: listingStore,
  agentAccounts,
  books,
}
