import type { Table } from '#lib/dynamo/table'
import { openEnquiries } from '#lib/enquiries/enquiry-store.dynamo'
import { openJournal } from '#lib/journal/journal.dynamo'
import { openAgentAccounts } from '#lib/ledger/agent-accounts.dynamo'
import { openBooks } from '#lib/ledger/books.dynamo'
import { openListings } from '#lib/listings/listing-store.dynamo'
import { openHolds } from '#lib/payment-requests/holds/hold-store.dynamo'
import { openRequests } from '#lib/payment-requests/request-store.dynamo'
import { openCallbacks } from '#lib/payments/callbacks/callback-store.dynamo'
import { openPayments } from '#lib/payments/payment-store.dynamo'
import { openPayoutAccounts } from '#lib/payouts/payout-account-store.dynamo'
import { openPayouts } from '#lib/payouts/payout-store.dynamo'
import { openCircuitBreaker } from '#lib/providers/circuit-breaker.dynamo'

/** The stores of a table that payments, and what follows payments, are kept in. */
export const moneyStores = (table: Table) => ({
  payments: openPayments(table),
  callbacks: openCallbacks(table),
  payouts: openPayouts(table),
  payoutAccounts: openPayoutAccounts(table),
  requests: openRequests(table),
  holds: openHolds(table),
  agentAccounts: openAgentAccounts(table),
  books: openBooks(table),
  enquiries: openEnquiries(table),
  listings: openListings(table),
  journal: openJournal(table),
  circuitBreaker: openCircuitBreaker(table),
})
