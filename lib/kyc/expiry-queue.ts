import type { Timestamp } from '#lib/kernel/clock'
import type { UserId } from '#lib/kernel/id'

/** Whose verification ends, and when. */
export type Expiry = { userId: UserId; expiresAt: Timestamp }

/** The verifications that end, oldest first. */
export type ExpiryQueue = { dueOn: (day: Date, until: Timestamp) => Promise<Expiry[]> }
