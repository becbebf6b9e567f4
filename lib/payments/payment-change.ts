import * as z from 'zod'
import { chargesOf } from './charge.ts'
import type { Payment } from './payment.ts'
import { amountDisputedOf, PaymentStatus } from './payment-status.ts'
import { refundsOf } from './refunds/refund.ts'

const moved = <Value extends z.ZodType>(value: Value) => z.object({ from: value, to: value }).optional()

/** What of a payment changes, and from what to what; what stays is absent. */
export const WouldChange = z
  .object({
    status: moved(PaymentStatus),
    amountRefunded: moved(z.int()),
    amountDisputed: moved(z.int()),
    refunds: moved(z.int()),
    charges: moved(z.int()),
  })
  .meta({ id: 'PaymentChange' })
export type PaymentChange = z.infer<typeof WouldChange>

/** What differs between two versions of a payment, as it is shown; null when nothing does. */
export function changeBetween(before: Payment, after: Payment): PaymentChange | null {
  const [old, now] = [shownOf(before), shownOf(after)]
  const status = old.status === now.status ? {} : { status: { from: old.status, to: now.status } }
  const counts = (['amountRefunded', 'amountDisputed', 'refunds', 'charges'] as const)
    .filter((name) => old[name] !== now[name])
    .map((name) => [name, { from: old[name], to: now[name] }])
  const change: PaymentChange = { ...status, ...Object.fromEntries(counts) }
  return Object.keys(change).length > 0 ? change : null
}

const shownOf = (payment: Payment) => ({
  status: payment.status,
  amountRefunded: payment.amountRefunded,
  amountDisputed: amountDisputedOf(payment),
  refunds: refundsOf(payment).length,
  charges: chargesOf(payment).length,
})
