import * as z from 'zod'
import { foldOf } from '../state/fold.ts'
import type { Payment } from '../state/payment.ts'
import { PaymentStatus, statusOf } from '../state/payment-status.ts'

const moved = <Value extends z.ZodType>(value: Value) => z.object({ from: value, to: value }).nullable()

/** The fields of a payment that change, with their old and new values; what stays is null. */
export const WouldChange = z
  .object({
    status: moved(PaymentStatus),
    amountPaid: moved(z.int()),
    amountRefunded: moved(z.int()),
    amountDisputed: moved(z.int()),
    refunds: moved(z.int()),
    charges: moved(z.int()),
  })
  .meta({ id: 'PaymentChange' })
type PaymentChange = z.infer<typeof WouldChange>

/** Returns the difference between two versions of a payment's view; null without one. */
export function changeBetween(before: Payment, after: Payment, now: Date): PaymentChange | null {
  const [old, next] = [shownOf(before, now), shownOf(after, now)]
  const between = <Value>(from: Value, to: Value) => (from === to ? null : { from, to })
  const change: PaymentChange = {
    status: between(old.status, next.status),
    amountPaid: between(old.amountPaid, next.amountPaid),
    amountRefunded: between(old.amountRefunded, next.amountRefunded),
    amountDisputed: between(old.amountDisputed, next.amountDisputed),
    refunds: between(old.refunds, next.refunds),
    charges: between(old.charges, next.charges),
  }
  return Object.values(change).some((each) => each !== null) ? change : null
}

const shownOf = (payment: Payment, now: Date) => {
  const { amountPaid, amountRefunded, amountDisputed, refunds, charges } = foldOf(payment)
  return {
    status: statusOf(payment, now),
    amountPaid,
    amountRefunded,
    amountDisputed,
    refunds: refunds.length,
    charges: charges.length,
  }
}
