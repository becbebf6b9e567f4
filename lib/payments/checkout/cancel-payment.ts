import { DomainError } from '#lib/kernel/domain-error'
import type { PaymentId } from '#lib/kernel/id'
import { type ChangeDeps, changePayment } from '#lib/payments/change/change-payment'
import { closeEndedPage } from '#lib/payments/change/close-page'
import { giveUp } from '#lib/payments/change/give-up'
import { isPayer, type Payer } from '#lib/payments/payer'
import { type PaymentView, viewOf } from '#lib/payments/payment-view'
import type { Providers } from '#lib/providers/registry'

type Deps = ChangeDeps & { providers: Pick<Providers, 'find'> }

/**
 * Cancels a user's own PENDING payment, and closes its page where the provider can. Money that comes later still counts.
 * Throws `not_found` for anyone else's payment and `payment_transition_not_allowed` once it is not PENDING any more.
 */
export async function cancelPayment(deps: Deps, caller: Payer, id: PaymentId): Promise<PaymentView> {
  const why = { actor: caller.id, reason: 'cancelled by the payer' }
  const cancelled = await changePayment(deps, id, why, (payment) => {
    if (!isPayer(caller, payment)) throw new DomainError('not_found')
    return giveUp(payment, deps.now())
  })
  await closeEndedPage(deps, await deps.providers.find(cancelled.provider), cancelled)
  return viewOf(cancelled, deps.now())
}
