import { PaymentId } from '#lib/kernel/id'

/** Returns the number of a payment's receipt, made of the payment's id: unique, but not consecutive. */
export const receiptNumberOf = (id: PaymentId): string => `R-${id.slice(id.indexOf('_') + 1)}`

/** Returns the payment whose receipt has a number; undefined for what is no such number. */
export const paymentOfReceipt = (number: string): PaymentId | undefined =>
  number.startsWith('R-') ? PaymentId.safeParse(`pay_${number.slice(2)}`).data : undefined
