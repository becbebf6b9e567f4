import type { PaymentId, UserId } from '#lib/kernel/id'
import type { Page } from '#lib/kernel/page'
import type { Commit, Write } from '#lib/kernel/write'
import type { Payment } from './payment.ts'
import type { PaymentStatus } from './payment-status.ts'

/** One move of a payment from a status to another: why, and on whose word. */
type PaymentMove = {
  payment: Payment
  from: PaymentStatus
  /** `provider:<name>`, a user's id, or `system`. */
  actor: string
  reason: string
}

/** Where payments live. Reads are consistent; writes are values for `commit`. */
export type PaymentStore = {
  get: (id: PaymentId) => Promise<Payment | undefined>
  /** The payment that any of a provider's ids was learnt to name; the first that is known decides. */
  byReference: (provider: string, references: readonly string[]) => Promise<Payment | undefined>
  /**
   * A user's payments as they are, newest first, at most 100 a page: one query and one read. One started within
   * the last second may be missing.
   */
  byUser: (
    userId: UserId,
    page: { limit: number; after: PaymentId | undefined },
  ) => Promise<Page<Payment, PaymentId>>
  insert: (payment: Payment) => Write
  /** Puts a payment whose version is one above the stored one's; else `version_conflict`. */
  replace: (payment: Payment) => Write
  /** Remembers that these ids of its provider's name the payment. */
  name: (payment: Payment, references: readonly string[]) => Write[]
  /** The move as the payment's history keeps it. */
  record: (move: PaymentMove) => Write
  commit: Commit
}
