import * as z from 'zod'
import { chargesOf } from './charge.ts'
import type { Payment } from './payment.ts'
import { amountDisputedOf, PaymentStatus, statusOf } from './payment-status.ts'
import { refundsOf } from './refunds/refund.ts'

const moved = <Value extends z.ZodType>(value: Value) => z.object({ from: value, to: value }).nullable()

/** The fields of a payment that change, with their old and new values; what stays is null. */
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

/** The difference between two versions of a payment's view; null when nothing does. */
export function changeBetween(before: Payment, after: Payment, moment: Date): PaymentChange | null {
  const [old, now] = [shownOf(before, moment), shownOf(after, moment)]
  const between = <Value>(from: Value, to: Value) => (from === to ? null : { from, to })
  const change: PaymentChange = {
    status: between(old.status, now.status),
    amountRefunded: between(old.amountRefunded, now.amountRefunded),
    amountDisputed: between(old.amountDisputed, now.amountDisputed),
    refunds: between(old.refunds, now.refunds),
    charges: between(old.charges, now.charges),
  }
  return Object.values(change).some((each) => each !== null) ? change : null
}

const shownOf = (payment: Payment, now: Date) => ({
  status: statusOf(payment, now),
  amountRefunded: payment.amountRefunded,
  amountDisputed: amountDisputedOf(payment),
  refunds: refundsOf(payment).length,
  charges: chargesOf(payment).length,
})
