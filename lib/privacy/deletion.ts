import * as z from 'zod'
import { Timestamp } from '#lib/kernel/clock'
import { UserId } from '#lib/kernel/id'
import type { Write } from '#lib/kernel/write'

/** What is stored of a deleted account: its id, and the time at which its records were erased. */
export const Deletion = z.object({
  userId: UserId,
  at: Timestamp,
  erasedAt: Timestamp.nullable(),
  /** The account's address, by which mails to it are found; null once they are erased. */
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
