import { withOptionalUses } from '#lib/config'
import { agentAccounts } from '#lib/payments/ledger/agent-accounts.dynamo'
import { books } from '#lib/payments/ledger/books.dynamo'
import { payoutStore } from './payout-store.dynamo.ts'

const BECAUSE = 'only some changes of a payout bring its money back'

/** The stores that a change of a payout reads and writes; a function spreads them into its dependencies. */
export const changedPayoutStores = {
  payouts: withOptionalUses(payoutStore.only('get', 'replace', 'commit'), BECAUSE),
  agentAccounts: withOptionalUses(agentAccounts.only('get', 'change'), BECAUSE),
  books: withOptionalUses(books.only('book'), BECAUSE),
}
