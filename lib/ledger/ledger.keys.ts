import { shardOf } from '#lib/dynamo/lists'
import type { Timestamp } from '#lib/kernel/clock'
import type { ExportId, PaymentId, PayoutId, TransactionId, UserId } from '#lib/kernel/id'
import type { Currency } from '#lib/kernel/money'
import type { Key } from '#lib/kernel/write'

/** The partition of everything that an agent is owed. */
export const agentAccountPartition = (agentId: UserId): string => `AGENT-ACCOUNT#${agentId}`

/** An agent's balance in one currency. */
export const agentBalanceKey = (agentId: UserId, currency: Currency): Key => ({
  pk: agentAccountPartition(agentId),
  sk: `BALANCE#${currency}`,
})

/** The mark that an agent's account has ended: no balance is opened after it. */
export const agentEndKey = (agentId: UserId): Key => ({ pk: agentAccountPartition(agentId), sk: 'END' })

/** The beginning of the partitions of the index that list agents with a balance in a currency. */
export const agentBalancesList = (currency: Currency): string => `AGENT-BALANCES#${currency}`

/** An agent's place in that index. */
export const agentBalanceIndex = (agentId: UserId, currency: Currency) => ({
  gsi1pk: `${agentBalancesList(currency)}#${shardOf(agentId)}`,
  gsi1sk: agentId,
})

/** All balances of an agent. */
export const agentBalancesQuery = (agentId: UserId) => ({
  partition: agentAccountPartition(agentId),
  beginsWith: 'BALANCE#',
})

/** An entry of an agent's statement. Entries sort by time, and those of one time by their number. */
export const statementEntryKey = (
  agentId: UserId,
  currency: Currency,
  at: Timestamp,
  number: number,
): Key => ({
  pk: agentAccountPartition(agentId),
  sk: `ENTRY#${currency}#${at}#${String(number).padStart(12, '0')}`,
})

/** The sort keys between which the statement's entries of a span lie. The key of an entry at `to` is longer, so it sorts after. */
export const statementRange = (currency: Currency, from: string, to: string): [string, string] => [
  `ENTRY#${currency}#${from}`,
  `ENTRY#${currency}#${to}`,
]

/** A payment of which a share may be held back. */
export const heldPaymentKey = (agentId: UserId, currency: Currency, id: PaymentId): Key => ({
  pk: agentAccountPartition(agentId),
  sk: `HELD#${currency}#${id}`,
})

/** All such payments of an agent in a currency. */
export const heldPaymentsQuery = (agentId: UserId, currency: Currency) => ({
  partition: agentAccountPartition(agentId),
  beginsWith: `HELD#${currency}#`,
})

/** A payout among those of its agent. */
export const agentPayoutKey = (agentId: UserId, currency: Currency, id: PayoutId): Key => ({
  pk: agentAccountPartition(agentId),
  sk: `PAYOUT#${currency}#${id}`,
})

/** All payouts of an agent in a currency. */
export const agentPayoutsQuery = (agentId: UserId, currency: Currency) => ({
  partition: agentAccountPartition(agentId),
  beginsWith: `PAYOUT#${currency}#`,
})

/** An agent's payout whose money is on its way. */
export const underWayKey = (agentId: UserId, id: PayoutId): Key => ({
  pk: agentAccountPartition(agentId),
  sk: `UNDER-WAY#${id}`,
})

/** All of an agent's payouts whose money is on its way. */
export const underWayQuery = (agentId: UserId) => ({
  partition: agentAccountPartition(agentId),
  beginsWith: 'UNDER-WAY#',
})

/** A correction's transaction. */
export const correctionKey = (id: TransactionId): Key => ({ pk: `CORRECTION#${id}`, sk: 'TRANSACTION' })

/** A transaction of a payout. */
export const payoutTransactionKey = (id: PayoutId, transaction: TransactionId): Key => ({
  pk: `PAYOUT#${id}`,
  sk: `TRANSACTION#${transaction}`,
})

/** The transaction of a version of a payment in one currency. */
export const paymentTransactionKey = (id: PaymentId, transaction: TransactionId): Key => ({
  pk: `PAYMENT#${id}`,
  sk: `TRANSACTION#${transaction}`,
})

/** The posting of a version of a payment for one `object`, such as `charge:ch_1`. */
export const postingKey = (id: PaymentId, version: number, object: string): Key => ({
  pk: `PAYMENT#${id}`,
  sk: `POSTING#${String(version).padStart(8, '0')}#${object}`,
})

/** All postings of a payment, oldest first. */
export const postingQuery = (id: PaymentId) => ({ partition: `PAYMENT#${id}`, beginsWith: 'POSTING#' })

/** The beginning of the partitions of the index that list the transactions of a UTC day. */
export const ledgerDayList = (day: string): string => `LEDGER#${day}`

/** A transaction's place in that index. */
export const ledgerDayIndex = (at: Timestamp, id: TransactionId) => ({
  gsi2pk: `${ledgerDayList(at.slice(0, 10))}#${shardOf(id)}`,
  gsi2sk: `${at}#${id}`,
})

/** The beginning of the partitions of what each account moved in a UTC day. */
export const ledgerSumsList = (day: string): string => `LEDGER-SUMS#${day}`

/** The sum that an account moved in a UTC day, in one shard: the shards are added up when they are read. */
export const ledgerSumKey = (day: string, shard: number, account: string, currency: Currency): Key => ({
  pk: `${ledgerSumsList(day)}#${shard}`,
  sk: `${account}#${currency}`,
})

/** The partition of the balances at the end of a UTC day. */
export const ledgerClosingPartition = (day: string): string => `LEDGER-CLOSING#${day}`

/** An account's balance at the end of a UTC day. */
export const ledgerClosingKey = (day: string, account: string, currency: Currency): Key => ({
  pk: ledgerClosingPartition(day),
  sk: `${account}#${currency}`,
})

/** The last UTC day for which the books are closed. */
export const lastClosingKey = (): Key => ({ pk: 'LEDGER-CLOSING#LAST', sk: 'DAY' })

/** The object of a file of postings. A rule of the bucket removes what is under `exports/` after a day. */
export const ledgerFileKey = (exportId: ExportId): string => `exports/ledger/${exportId}.csv`

/** A correction that awaits a second administrator, by the key of its request. */
export const askedCorrectionKey = (key: string): Key => ({ pk: `CORRECTION-ASKED#${key}`, sk: 'CORRECTION' })
