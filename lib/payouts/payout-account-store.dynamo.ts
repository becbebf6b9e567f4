import { onTable, type Table } from '#lib/dynamo/table'
import { payoutAccountKey } from './payout.keys.ts'
import { PayoutAccount } from './payout-account.ts'
import type { PayoutAccountReader, PayoutAccountStore } from './payout-account-store.ts'

/** Opens the payout accounts in the one table. */
export const openPayoutAccounts = (table: Table): PayoutAccountStore => ({
  get: async (agentId) => {
    const item = await table.get(payoutAccountKey(agentId))
    return item && PayoutAccount.parse(item)
  },
  put: (seen, next) =>
    table.put(
      { ...payoutAccountKey(next.agentId), kind: 'payout-account', ...next },
      { when: seen ? { equals: { version: seen.version } } : 'absent' },
    ),
  requireUnchanged: ({ agentId, version }) =>
    table.check(payoutAccountKey(agentId), { when: { equals: { version } } }),
  remove: (agentId, version) =>
    table.remove(payoutAccountKey(agentId), {
      ...(version !== undefined && { when: { equals: { version } } }),
    }),
  commit: table.commit,
})

/** The store of payout accounts, as a dependency of functions. */
export const payoutAccounts = onTable(openPayoutAccounts, {
  reads: ['PAYOUT-ACCOUNT'],
  writes: ['PAYOUT-ACCOUNT'],
})

export const payoutAccountReader = onTable((table): PayoutAccountReader => openPayoutAccounts(table), {
  reads: ['PAYOUT-ACCOUNT'],
})
