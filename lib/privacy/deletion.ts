import * as z from 'zod'
import { Timestamp } from '#lib/kernel/clock'
import { UserId } from '#lib/kernel/id'
import type { Write } from '#lib/kernel/write'

/** The rest of an account that its owner has ended: its id, and the time at which its records were erased. */
export const Deletion = z.object({
  userId: UserId,
  at: Timestamp,
  erasedAt: Timestamp.nullable(),
  /** The account's address, by which mails to it are found; null once they are erased. */
  email: z.string().nullable(),
})
export type Deletion = z.infer<typeof Deletion>

/** The accounts that have ended. */
export type Deletions = {
  get: (userId: UserId) => Promise<Deletion | undefined>
  /** Part of the transaction that ends an account. The table's stream carries it to the job that erases the rest. */
  insert: (userId: UserId, at: Timestamp, email: string) => Write
  /** Keeps when the rest was erased, which proves that it was, and drops the address. */
  erased: (userId: UserId, at: Timestamp) => Write
}
