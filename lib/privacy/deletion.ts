import * as z from 'zod'
import { Timestamp } from '#lib/kernel/clock'
import { UserId } from '#lib/kernel/id'
import type { Write } from '#lib/kernel/write'

/** The record of a deleted account: `at` is the time of the deletion, `erasedAt` that of the erasure of its records. */
export const Deletion = z.object({
  userId: UserId,
  at: Timestamp,
  erasedAt: Timestamp.nullable(),
  /** The account's address, by which mails to it are found; null after the erasure. */
  email: z.string().nullable(),
})
export type Deletion = z.infer<typeof Deletion>

/** Stores deleted accounts. */
export type Deletions = {
  get: (userId: UserId) => Promise<Deletion | undefined>
  /** Part of the transaction that deletes an account. The table's stream carries it to the job that erases the rest. */
  insert: (userId: UserId, at: Timestamp, email: string) => Write
  /** Stores when the rest was erased, as a proof of it, and drops the address. */
  markErased: (userId: UserId, at: Timestamp) => Write
}

export type DeletionReader = Pick<Deletions, 'get'>
