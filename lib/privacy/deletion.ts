import * as z from 'zod'
import { Timestamp } from '#lib/kernel/clock'
import { UserId } from '#lib/kernel/id'
import type { Write } from '#lib/kernel/write'

/** What stays of an account that its owner has ended: its id, and when what belonged to it was erased. */
export const Deletion = z.object({ userId: UserId, at: Timestamp, erasedAt: Timestamp.nullable() })
export type Deletion = z.infer<typeof Deletion>

/** The accounts that have ended. */
export type Deletions = {
  /** Part of the transaction that ends an account. The table's stream carries it to the job that erases the rest. */
  insert: (userId: UserId, at: Timestamp) => Write
  /** Keeps when the rest was erased: the proof that it was. */
  erased: (userId: UserId, at: Timestamp) => Write
}
