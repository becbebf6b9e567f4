import { type Clock, timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import type { NewId, PaymentId, UserId } from '#lib/kernel/id'
import { knownPayment } from '#lib/payments/callbacks/confirm'
import { changeWrites } from '#lib/payments/change-payment'
import { type Payment, withFacts } from '#lib/payments/payment'
import { statusOf } from '#lib/payments/payment-status'
import type { PaymentStore } from '#lib/payments/payment-store'
import { type PaymentView, viewOf } from '#lib/payments/payment-view'
import type { FirstProvider } from '#lib/payments/provider/first-port'
import type { Providers } from '#lib/payments/provider/registry'
import { untilWon } from '#lib/payments/until-won'

type Deps = { payments: PaymentStore; providers: Pick<Providers, 'find'>; now: Clock; newId: NewId }

/**
 * Gives up a payment that nobody has paid yet, for the user whose it is; its checkout is withdrawn where the
 * provider can. Money that comes all the same still counts. Throws `not_found` for anyone else's payment and
 * `payment_transition_not_allowed` once it is not PENDING any more.
 */
export async function cancelPayment(deps: Deps, userId: UserId, id: PaymentId): Promise<PaymentView> {
  const cancelled = await untilWon(async () => {
    const payment = await deps.payments.get(id)
    if (payment?.userId !== userId) throw new DomainError('not_found')
    const now = deps.now()
    refuseUnlessPending(payment, now)
    const fact = { id: `cancelled:${id}`, kind: 'cancelled', at: timestamp(now) } as const
    const next = withFacts(payment, [fact], [], now)
    const why = { actor: userId, reason: 'cancelled by the payer' }
    await deps.payments.commit(changeWrites(deps, payment, next, why))
    return next
  })
  const provider = await deps.providers.find(cancelled.provider)
  if (provider) await withdraw(provider, cancelled)
  return viewOf(cancelled, deps.now())
}

/**
 * Withdraws the checkout of a payment that was given up, where the provider can. Only a courtesy to the payer, so it
 * may fail: what the provider takes in after this is told to us like any other payment.
 */
export async function withdraw(provider: FirstProvider, cancelled: Payment): Promise<void> {
  await provider.cancel?.(knownPayment(cancelled)).catch(() => undefined)
}

function refuseUnlessPending(payment: Payment, now: Date): void {
  const from = statusOf(payment, now)
  if (from === 'PENDING') return
  throw new DomainError('payment_transition_not_allowed', {
    detail: `A payment that is ${from} cannot be cancelled`,
    extensions: { from, to: 'CANCELLED', allowed: [] },
  })
}
