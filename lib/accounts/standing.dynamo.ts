import * as z from 'zod'
import { Timestamp } from '#lib/kernel/clock'
import { UserId } from '#lib/kernel/id'
import type { Write } from '#lib/kernel/write'
import { standingKey } from './account.keys.ts'
import type { Account } from './account.ts'

/** The stored item that says that a person's standing has changed. */
export const StandingChange = z.object({ userId: UserId, revision: z.int(), at: Timestamp })

/**
 * Stores that a person's standing has changed, in the transaction that raises `standingRevision`. The table's stream
 * carries it to what depends on the standing. It does not say what changed: its readers read the account, so that
 * the newest decision wins.
 */
export const standingChanged = ({ id, standingRevision, updatedAt }: Account): Write => ({
  put: { ...standingKey(id), kind: 'standing', userId: id, revision: standingRevision, at: updatedAt },
})
