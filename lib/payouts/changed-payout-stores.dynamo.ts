import { withUsesTestedElsewhere } from '#lib/config/config'
import { agentAccounts } from '#lib/ledger/agent-accounts.dynamo'
import { books } from '#lib/ledger/books.dynamo'
import { payoutStore } from './payout-store.dynamo.ts'

const BECAUSE = 'only some changes of a payout bring its money back'

/** The stores that a change of a payout reads and writes; a function spreads them into its dependencies. */
export const changedPayoutStores = {
  payouts: withUsesTestedElsewhere(payoutStore.only('get', 'replace', 'commit'), BECAUSE),
  agentAccounts: withUsesTestedElsewhere(agentAccounts.only('get', 'change'), BECAUSE),
  books: withUsesTestedElsewhere(books.only('book'), BECAUSE),
}
