import type { PaymentId } from '#lib/kernel/id'

/** The number of a payment's receipt, made of the payment's id: unique, and not without gaps. */
export const receiptNumberOf = (id: PaymentId): string => `R-${id.slice(id.indexOf('_') + 1)}`
