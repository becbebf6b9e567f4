import { shardedKey } from '#lib/dynamo/lists'
import type { Timestamp } from '#lib/kernel/clock'
import type { PayoutId, UserId } from '#lib/kernel/id'
import type { Key } from '#lib/kernel/write'

/** The record of a payout. */
export const payoutKey = (id: PayoutId): Key => ({ pk: `PAYOUT#${id}`, sk: 'PAYOUT' })

/** The place of a payout among those of its agent, by the index `gsi1`. */
export const payoutOfAgentIndex = (agentId: UserId, id: PayoutId) => ({
  gsi1pk: `PAYOUTS-OF#${agentId}`,
  gsi1sk: id,
})

/** All payouts of an agent. */
export const payoutsOfAgentQuery = (agentId: UserId) => ({
  partition: `PAYOUTS-OF#${agentId}`,
  index: 'gsi1' as const,
})

/** The beginning of the partitions of a list of payouts: by status, by need of a resolution, or `ALL`. */
export const payoutListPartition = (list: string): string => `PAYOUTS#${list}`

/** A payout's place in one of those lists. */
export const payoutListKey = (list: string, id: PayoutId): Key => shardedKey(payoutListPartition(list), id)

/** The beginning of the partitions of the due payouts, sorted by time. */
export const payoutDuePartition = (): string => 'PAYOUTS-DUE'

/** A payout that is due at a moment. */
export const payoutDueKey = (dueAt: Timestamp, id: PayoutId): Key =>
  shardedKey(payoutDuePartition(), `${dueAt}#${id}`)

/** An agent's payout account: an item of its own, that only the functions for payouts may read. */
export const payoutAccountKey = (agentId: UserId): Key => ({
  pk: `PAYOUT-ACCOUNT#${agentId}`,
  sk: 'PAYOUT-ACCOUNT',
})
