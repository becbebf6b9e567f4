import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { readNewItem } from '#lib/dynamo/stream'
import { consumer } from '#lib/http/consumer'
import { clock, ids } from '#lib/http/runtime'
import { agentAccounts } from '#lib/ledger/agent-accounts.dynamo'
import { books } from '#lib/ledger/books.dynamo'
import { followPayee } from '#lib/payouts/follow-payee'
import { payoutAccounts } from '#lib/payouts/payout-account-store.dynamo'
import { payouts } from '#lib/payouts/payout-store.dynamo'
export const { spec, handler } = consumer({
  name: 'followPayees',
  summary:
    'Cancels the payouts of agents who are banned or no longer verified, and removes a payout account that was entered before a change of address was undone',
  deps: { payouts, payoutAccounts, agentAccounts, books, accounts: accountReader, now: clock, newId: ids },
  read: readNewItem,
  run: (item, deps) => followPayee(deps, item),
})
