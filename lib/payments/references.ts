import type { PaymentId, RefundId } from '#lib/kernel/id'

/** Finds payments by the ids of providers and refunds. */
export type References = {
  /**
   * The ids of the payments that carry a provider's reference, and of the callbacks that wait for such a payment. One
   * that was stored within the last second may be missing.
   */
  ofReference: (reference: string, limit: number) => Promise<string[]>
  /** The payment that a refund is part of. */
  ofRefund: (id: RefundId) => Promise<PaymentId | undefined>
}
