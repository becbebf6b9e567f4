import * as z from 'zod'
import { Timestamp } from '#lib/kernel/clock'
import { UserId } from '#lib/kernel/id'
import type { Write } from '#lib/kernel/write'
import { standingKey } from './account.keys.ts'

/** What is left as word of a change. */
export const StandingChange = z.object({ userId: UserId, revision: z.int(), at: Timestamp })

/**
 * Word that a person's standing has changed: part of the transaction that raises `standingRevision`, and
 * carried by the table's stream to whatever follows it. It says that something changed, not what: whoever
 * follows reads the account, so that the newest decision wins.
 */
export const standingChanged = (userId: UserId, revision: number, at: Timestamp): Write => ({
  put: { ...standingKey(userId), kind: 'standing', userId, revision, at },
})
