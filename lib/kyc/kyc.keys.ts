import type { EventId, UserId } from '#lib/kernel/id'
import type { Key } from '#lib/kernel/write'

/** One decision about a person, beside their account; they sort by age. */
export const decisionKey = (userId: UserId, decisionId: EventId): Key => ({
  pk: `USER#${userId}`,
  sk: `KYC#${decisionId}`,
})
