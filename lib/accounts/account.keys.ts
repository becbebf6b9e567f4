import { shardedKey } from '#lib/dynamo/lists'
import type { SessionId, StatusDecisionId, UserId } from '#lib/kernel/id'
import type { Key } from '#lib/kernel/write'

/** A person's one record. */
export const accountKey = (id: UserId): Key => ({ pk: `USER#${id}`, sk: 'ACCOUNT' })

/** The owner of an e-mail address: the condition on this key keeps addresses unique. */
export const emailKey = (address: string): Key => ({ pk: `EMAIL#${address}`, sk: 'EMAIL' })

/** A signed-in device. Keyed by its own id, because a refresh token contains only that. */
export const sessionKey = (id: SessionId): Key => ({ pk: `SESSION#${id}`, sk: 'SESSION' })

const sessionsOf = (userId: UserId): string => `USER#${userId}#SESSIONS`

/** The entry in the index that lists a session among those of its account. */
export const userSessionsEntry = (userId: UserId, id: SessionId) => ({
  gsi1pk: sessionsOf(userId),
  gsi1sk: id,
})

/** Finds every session of an account, including sessions that the account no longer lists. */
export const userSessionsQuery = (userId: UserId) => ({
  partition: sessionsOf(userId),
  index: 'gsi1' as const,
})

/** The newest change of a person's eligibility to publish: one item a person, which a newer change replaces. */
export const eligibilityKey = (id: UserId): Key => ({ pk: `USER#${id}`, sk: 'ELIGIBILITY' })

/** The record of an undone change of address, by the time of the undo. */
export const restorationKey = (id: UserId, moment: string): Key => ({
  pk: `USER#${id}`,
  sk: `RESTORATION#${moment}`,
})

/** The prefix of the partitions over which one of the administrators' lists of users is spread. */
export const userListPartition = (list: string): string => `USERS#${list}`

/** A user's entry in one of those lists. `order` is what the list is sorted by. */
export const userListKey = (list: string, order: string): Key => shardedKey(userListPartition(list), order)

/** A ban or its end, in the account's partition. These items sort by age. */
export const statusDecisionKey = (id: UserId, decisionId: StatusDecisionId): Key => ({
  pk: `USER#${id}`,
  sk: `STATUS#${decisionId}`,
})

/** Every ban of an account and every end of one, oldest first. */
export const statusDecisionQuery = (id: UserId) => ({ partition: `USER#${id}`, beginsWith: 'STATUS#' })
