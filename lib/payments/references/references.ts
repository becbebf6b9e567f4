import type { PaymentId, RefundId } from '#lib/kernel/id'
import type { Write } from '#lib/kernel/write'
import type { Payment } from '../payment.ts'

/** Finds payments by the ids of providers and refunds. */
export type References = {
  /**
   * The ids of the payments that an id of any provider's names, and of the notifications that wait for a payment by it.
   * One that was learnt within the last second may be missing.
   */
  named: (reference: string, limit: number) => Promise<string[]>
  /** The payment that a refund is part of. */
  ofRefund: (id: RefundId) => Promise<PaymentId | undefined>
  /** Lets the provider's ids and the refunds of a payment that the first edition stored find it. */
  nameAgain: (payment: Payment) => Write[]
}
