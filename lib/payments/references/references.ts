import type { PaymentId, RefundId } from '#lib/kernel/id'

/** Finds payments by the ids of providers and refunds. */
export type References = {
  /**
   * The ids of the payments that an id of any provider's names, and of the callbacks that wait for a payment by it. A
   * reference of the last second may be missing.
   */
  ofReference: (reference: string, limit: number) => Promise<string[]>
  /** The payment that a refund is part of. */
  ofRefund: (id: RefundId) => Promise<PaymentId | undefined>
}
