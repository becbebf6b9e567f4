import type { EventId, UserId } from '#lib/kernel/id'
import type { Key } from '#lib/kernel/write'

/** One decision about a person, beside their account; they sort by age. */
export const decisionKey = (userId: UserId, decisionId: EventId): Key => ({
  pk: `USER#${userId}`,
  sk: `KYC#${decisionId}`,
})

/** A verification that ends: found by the day it ends on, removed once it has. */
export const kycExpiryKey = (userId: UserId, expiresAt: string): Key => ({
  pk: kycExpiryPartition(expiresAt),
  sk: `${expiresAt}#${userId}`,
})

/** Everything that ends on the day of a moment. */
export const kycExpiryPartition = (moment: string): string => `KYC-EXPIRY#${moment.slice(0, 10)}`
