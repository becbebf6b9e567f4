import { timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import { type Payment, withOwnFact } from '#lib/payments/state/payment'
import { ownFactId, statusOf } from '#lib/payments/state/payment-status'

/** Adds the fact that a PENDING payment is given up. Throws `payment_transition_not_allowed` for any other. */
export function giveUp(payment: Payment, now: Date): Payment {
  const from = statusOf(payment, now)
  if (from === 'PENDING') {
    return withOwnFact(payment, {
      id: ownFactId('cancelled', payment.id),
      kind: 'cancelled',
      at: timestamp(now),
    })
  }
  throw new DomainError('payment_transition_not_allowed', {
    detail: `A payment that is ${from} cannot be cancelled`,
    extensions: { from, to: 'CANCELLED', allowed: [] },
  })
}
