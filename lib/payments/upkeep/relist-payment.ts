import type { Clock } from '#lib/kernel/clock'
import type { PaymentId } from '#lib/kernel/id'
import { type CheckDeps, listingAsPaid, paidListing } from '#lib/payments/checkout/check-payment'
import { type Payment, revised } from '#lib/payments/payment'
import type { PaymentStore } from '#lib/payments/payment-store'
import { untilWon } from '#lib/payments/until-won'

export type RelistDeps = CheckDeps & {
  payments: Pick<PaymentStore, 'get' | 'relist' | 'commit'>
  now: Clock
}

/**
 * Writes the list entries that a payment of the first edition lacks: of its listing, of that listing's agent, and of
 * payments that need someone. The payment gets its listing as it is now, since nobody stored how it was. Answers
 * whether anything was missing; any other payment stays as it is. Safe to repeat.
 */
export const relistPayment = (deps: RelistDeps, id: PaymentId): Promise<boolean> =>
  untilWon(async () => {
    const payment = await deps.payments.get(id)
    const next = payment && (await completed(deps, payment))
    if (!next) return false
    await deps.payments.commit(deps.payments.relist(next))
    return true
  })

/** The next version of a payment that lacks list entries; undefined for any other. */
async function completed(deps: RelistDeps, payment: Payment): Promise<Payment | undefined> {
  const paid = payment.listing ? undefined : await paidListing(deps, payment.listingId)
  const listing = paid ? listingAsPaid(paid) : payment.listing
  const next = revised(payment, { ...payment, listing }, deps.now())
  if (!paid && next.attention.length === payment.attention.length) return undefined
  return { ...payment, listing, attention: next.attention, version: next.version }
}
