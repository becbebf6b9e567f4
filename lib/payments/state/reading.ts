import type { Timestamp } from '#lib/kernel/clock'
import type { StatementOf } from './fact.ts'

/** Everything that a provider's API says of one payment now. An empty list: there is none of that kind. */
export type PaymentReading = {
  /** The ids by which the answer names the payment: ours where the provider repeats it. */
  references: string[]
  /**
   * Every charge that succeeded, by its id, and those taken back since. Without a success, the payment's present state
   * instead: `processing`, `failed`, `cancelled` or `expired`; empty for a page that is still open.
   */
  charges: StatementOf<'succeeded' | 'taken_back' | 'processing' | 'failed' | 'cancelled' | 'expired'>[]
  /** Every refund there is, by its id, failed ones and those of other people included. */
  refunds: StatementOf<'refund'>[]
  /** Every dispute, by its id; by its charge's where the provider does not say for which dispute it took money back. */
  disputes: StatementOf<'dispute'>[]
  /** The provider's present fees, by fee: a changed sum corrects the earlier one. Absent where the API names none. */
  fees?: StatementOf<'fee'>[]
  /** Whether the payer has approved and the money waits to be taken by `capture`. */
  awaitsCapture?: boolean
}

/** The statements of a provider's API about a payment, and the time of the question. */
export type Reading = PaymentReading & { askedAt: Timestamp }
