import { shardedKey } from '#lib/dynamo/lists'
import type { SessionId, StatusDecisionId, UserId } from '#lib/kernel/id'
import type { Key } from '#lib/kernel/write'

/** A person's one record. */
export const accountKey = (id: UserId): Key => ({ pk: `USER#${id}`, sk: 'ACCOUNT' })

/** Whom an e-mail address belongs to: the condition on this key keeps addresses unique. */
export const emailKey = (address: string): Key => ({ pk: `EMAIL#${address}`, sk: 'EMAIL' })

/** A signed-in device. By its own id, since a refresh token names nothing else. */
export const sessionKey = (id: SessionId): Key => ({ pk: `SESSION#${id}`, sk: 'SESSION' })

/** Word that a person's standing has changed: one item, so that only the newest is followed. */
export const standingKey = (id: UserId): Key => ({ pk: `USER#${id}`, sk: 'STANDING' })

/** The beginning of the partitions of one of the administrators' lists of users. */
export const directoryPartition = (list: string): string => `USERS#${list}`

/** A user's place in one of those lists. */
export const directoryKey = (list: string, order: string): Key => shardedKey(directoryPartition(list), order)

/** That an account was banned or let in again, beside it; they sort by age. */
export const statusDecisionKey = (id: UserId, decisionId: StatusDecisionId): Key => ({
  pk: `USER#${id}`,
  sk: `STATUS#${decisionId}`,
})

/** Every time that an account was banned or let in again. */
export const statusDecisionQuery = (id: UserId) => ({ partition: `USER#${id}`, beginsWith: 'STATUS#' })
