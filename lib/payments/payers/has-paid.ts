import type { ListingId, PaymentId } from '#lib/kernel/id'
import { PAGE_SIZE } from '#lib/kernel/page'
import { isPayer, type Payer } from '../payer.ts'
import type { UserPayments } from '../payment-store.ts'
import type { Payment } from '../state/payment.ts'
import { isPaid } from '../state/payment-status.ts'

/** Whether a payment of a user on a listing has ever succeeded. Reads the user's payments, newest first, until one has. */
export async function hasPaid(payments: UserPayments, payer: Payer, listingId: ListingId): Promise<boolean> {
  const isPaidBy = (payment: Payment) =>
    payment.listingId === listingId && isPayer(payer, payment) && isPaid(payment)
  for (let after: PaymentId | undefined; ; ) {
    const { items, next } = await payments.byUser(payer.id, { limit: PAGE_SIZE, after })
    if (items.some(isPaidBy)) return true
    if (next === undefined) return false
    after = next
  }
}
