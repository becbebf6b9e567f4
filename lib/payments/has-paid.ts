import type { ListingId, PaymentId, UserId } from '#lib/kernel/id'
import { PAGE_SIZE } from '#lib/kernel/page'
import { isPaid } from './payment-status.ts'
import type { PaymentStore } from './payment-store.ts'

/** Whether a payment of a user on a listing has ever succeeded. Reads the user's payments, newest first, until one has. */
export async function hasPaid(
  payments: Pick<PaymentStore, 'byUser'>,
  userId: UserId,
  listingId: ListingId,
): Promise<boolean> {
  for (let after: PaymentId | undefined; ; ) {
    const { items, next } = await payments.byUser(userId, { limit: PAGE_SIZE, after })
    if (items.some((payment) => payment.listingId === listingId && isPaid(payment))) return true
    if (next === undefined) return false
    after = next
  }
}
