import { timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import type { PaymentId, UserId } from '#lib/kernel/id'
import { type ChangeDeps, changeWrites } from '#lib/payments/change-payment'
import { type Payment, revised, withFacts } from '#lib/payments/payment'
import { ownFactId, statusOf } from '#lib/payments/payment-status'
import { type PaymentView, viewOf } from '#lib/payments/payment-view'
import type { Providers } from '#lib/payments/provider/registry'
import { untilWon } from '#lib/payments/until-won'
import { closeEndedPage } from './close-page.ts'

type Deps = ChangeDeps & { providers: Pick<Providers, 'find'> }

/**
 * Gives up a payment that nobody has paid yet, for the user whose it is; its page is closed where the provider can.
 * Money that comes all the same still counts. Throws `not_found` for anyone else's payment and
 * `payment_transition_not_allowed` once it is not PENDING any more.
 */
export async function cancelPayment(deps: Deps, userId: UserId, id: PaymentId): Promise<PaymentView> {
  const cancelled = await untilWon(async () => {
    const payment = await deps.payments.get(id)
    if (payment?.userId !== userId) throw new DomainError('not_found')
    return cancel(deps, payment, { actor: userId, reason: 'cancelled by the payer' })
  })
  await closeEndedPage(deps, await deps.providers.find(cancelled.provider), cancelled)
  return viewOf(cancelled, deps.now())
}

/** Stores that a PENDING payment is given up. Its page is closed by whoever cancels, or when the payment is due. */
export async function cancel(
  deps: ChangeDeps,
  payment: Payment,
  why: { actor: string; reason: string },
): Promise<Payment> {
  const now = deps.now()
  refuseUnlessPending(payment, now)
  const fact = { id: ownFactId('cancelled', payment.id), kind: 'cancelled', at: timestamp(now) } as const
  const next = revised(payment, withFacts(payment, [fact]), now)
  await deps.payments.commit(await changeWrites(deps, payment, next, why))
  return next
}

function refuseUnlessPending(payment: Payment, now: Date): void {
  const from = statusOf(payment, now)
  if (from === 'PENDING') return
  throw new DomainError('payment_transition_not_allowed', {
    detail: `A payment that is ${from} cannot be cancelled`,
    extensions: { from, to: 'CANCELLED', allowed: [] },
  })
}
