import { agentAccounts } from '#lib/payments/ledger/agent-accounts.dynamo'
import { books } from '#lib/payments/ledger/books.dynamo'
import { payoutRecords } from './payout-store.dynamo.ts'

/** The stores that a change of a payout reads and writes; a function spreads them into its dependencies. */
export const changedPayoutStores = { payouts: payoutRecords, agentAccounts, books }
