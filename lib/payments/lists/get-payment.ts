import type { Clock } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import type { PaymentId } from '#lib/kernel/id'
import { isPayer, type Payer } from '../payer.ts'
import type { PaymentReader } from '../payment-store.ts'
import { type PaymentView, viewOf } from '../payment-view.ts'

/** Returns a user's own payment. Throws `not_found` for another's payment as for an unknown one. */
export async function getPayment(
  { payments, now }: { payments: PaymentReader; now: Clock },
  caller: Payer,
  id: PaymentId,
): Promise<PaymentView> {
  const payment = await payments.get(id)
  if (!payment || !isPayer(caller, payment)) throw new DomainError('not_found')
  return viewOf(payment, now())
}
