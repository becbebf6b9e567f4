import * as z from 'zod'
import { deletionKey } from '#lib/accounts/account.keys'
import { Timestamp } from '#lib/kernel/clock'
import { UserId } from '#lib/kernel/id'
import type { Write } from '#lib/kernel/write'

/** What stays of an account that its owner has ended: its id, and when what belonged to it was erased. */
export const Deletion = z.object({ userId: UserId, at: Timestamp, erasedAt: Timestamp.nullable() })
export type Deletion = z.infer<typeof Deletion>

/**
 * Word that an account has ended: part of the transaction that ends it, and carried by the table's stream to
 * what erases the rest.
 */
export const deleted = (userId: UserId, at: Timestamp): Write => ({
  put: { ...deletionKey(userId), kind: 'deletion', userId, at, erasedAt: null },
  when: 'absent',
})

/** Keeps when the rest was erased: the proof that it was. */
export const erased = (userId: UserId, at: Timestamp): Write => ({
  update: deletionKey(userId),
  set: { erasedAt: at },
  when: 'present',
})
