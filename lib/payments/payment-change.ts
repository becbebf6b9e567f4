import * as z from 'zod'
import { foldOf } from './fold.ts'
import type { Payment } from './payment.ts'
import { PaymentStatus, statusOf } from './payment-status.ts'

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
export type PaymentChange = z.infer<typeof WouldChange>

/** The difference between two versions of a payment's view; null without one. */
export function changeBetween(before: Payment, after: Payment, moment: Date): PaymentChange | null {
  const [old, now] = [shownOf(before, moment), shownOf(after, moment)]
  const between = <Value>(from: Value, to: Value) => (from === to ? null : { from, to })
  const change: PaymentChange = {
    status: between(old.status, now.status),
    amountPaid: between(old.amountPaid, now.amountPaid),
    amountRefunded: between(old.amountRefunded, now.amountRefunded),
    amountDisputed: between(old.amountDisputed, now.amountDisputed),
    refunds: between(old.refunds, now.refunds),
    charges: between(old.charges, now.charges),
  }
  return Object.values(change).some((each) => each !== null) ? change : null
}

const shownOf = (payment: Payment, now: Date) => {
  const { amountPaid, amountRefunded, amountDisputed, refunds, charges } = foldOf(payment)
  const status = statusOf(payment, now)
  return {
    status,
    amountPaid,
    amountRefunded,
    amountDisputed,
    refunds: refunds.length,
    charges: charges.length,
  }
}
