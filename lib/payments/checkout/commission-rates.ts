import { dependency } from '#lib/config/config'
import type { Payment } from '#lib/payments/state/payment'

/** The platform's part of payments by what they are for, in basis points. */
export type CommissionRates = Readonly<Partial<Record<Payment['purpose'], number>>>

/** The operator's rates; a purpose without a rate costs no commission. */
export const commissionRates = dependency(['COMMISSION'], ({ COMMISSION }): CommissionRates => COMMISSION)
