import { timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import type { PaymentId, UserId } from '#lib/kernel/id'
import { type ChangeDeps, changePayment } from '#lib/payments/change-payment'
import { type Payment, withFacts } from '#lib/payments/payment'
import { ownFactId, statusOf } from '#lib/payments/payment-status'
import { type PaymentView, viewOf } from '#lib/payments/payment-view'
import type { Providers } from '#lib/payments/provider/registry'
import { closeEndedPage } from './close-page.ts'

type Deps = ChangeDeps & { providers: Pick<Providers, 'find'> }

/**
 * Gives up a payment that nobody has paid yet, for the user whose it is; its page is closed where the provider can.
 * Money that comes all the same still counts. Throws `not_found` for anyone else's payment and
 * `payment_transition_not_allowed` once it is not PENDING any more.
 */
export async function cancelPayment(deps: Deps, userId: UserId, id: PaymentId): Promise<PaymentView> {
  const why = { actor: userId, reason: 'cancelled by the payer' }
  const cancelled = await changePayment(deps, id, why, (payment) => {
    if (payment.userId !== userId) throw new DomainError('not_found')
    return givenUp(payment, deps.now())
  })
  await closeEndedPage(deps, await deps.providers.find(cancelled.provider), cancelled)
  return viewOf(cancelled, deps.now())
}

/** A PENDING payment with the fact that it is given up. Throws `payment_transition_not_allowed` for any other. */
export function givenUp(payment: Payment, now: Date): Payment {
  const from = statusOf(payment, now)
  if (from === 'PENDING') {
    return withFacts(payment, [
      { id: ownFactId('cancelled', payment.id), kind: 'cancelled', at: timestamp(now) },
    ])
  }
  throw new DomainError('payment_transition_not_allowed', {
    detail: `A payment that is ${from} cannot be cancelled`,
    extensions: { from, to: 'CANCELLED', allowed: [] },
  })
}
