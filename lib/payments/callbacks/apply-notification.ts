import { timestamp } from '#lib/kernel/clock'
import { PaymentId } from '#lib/kernel/id'
import type { Write } from '#lib/kernel/write'
import { type ChangeDeps, changeOf } from '#lib/payments/change-payment'
import type { Statement } from '#lib/payments/fact'
import { areFull } from '#lib/payments/fact-room'
import { mismatchOf, withReading, withWords } from '#lib/payments/merge'
import { type Payment, revised } from '#lib/payments/payment'
import type { PaymentStore } from '#lib/payments/payment-store'
import type { Pauses } from '#lib/payments/provider/patience'
import type { PaymentReading } from '#lib/payments/provider/provider'
import type { Providers } from '#lib/payments/provider/registry'
import type { Inbox, Outcome } from './inbox.ts'
import { type Notification, withoutPayer } from './notification.ts'

export type SettleDeps = ChangeDeps & {
  inbox: Inbox
  providers: Pick<Providers, 'find'>
  patience: Pauses
}

/** What a notification says of its payment: its own signed statement, or what its provider's API says. */
export type Told = { statement: Statement } | { reading: PaymentReading }

/** What a notification does to a payment: the transaction, and what it comes to. */
export type Application = { writes: Write[]; next: Payment; learnt: string[]; outcome: Outcome }

/** The payment by our own id where the provider repeats it, else by any of its ids that we have learnt. */
export async function findPayment(
  payments: PaymentStore,
  { provider, references }: Pick<Notification, 'provider' | 'references'>,
): Promise<Payment | undefined> {
  const [own] = references.flatMap((reference) => PaymentId.safeParse(reference).data ?? [])
  const payment = own && (await payments.get(own))
  // A provider account may speak of its own payments only.
  if (payment?.provider === provider) return payment
  return payments.byReference(
    provider,
    references.filter((reference) => reference !== own),
  )
}

/** What a notification does to a payment. A charge of a sum that was not asked for is kept for an administrator. */
export async function applied(
  deps: ChangeDeps & Pick<SettleDeps, 'inbox'>,
  payment: Payment,
  notification: Notification,
  told: Told,
): Promise<Application> {
  const now = deps.now()
  const why = { actor: `provider:${notification.provider}`, reason: notification.type }
  const { next: edited, mismatched, isWhole = true } = merged(payment, notification, told, now)
  const ended = async (
    outcome: Omit<Outcome, 'paymentId' | 'processedAt'>,
    next?: Payment,
  ): Promise<Application> => {
    const { resolution } = notification
    const whole = {
      ...outcome,
      ...(payment.isPayerErased && withoutPayer({ ...notification, ...outcome })),
      paymentId: payment.id,
      processedAt: timestamp(now),
      resolution,
    }
    const learnt = (next?.references ?? []).filter((reference) => !payment.references.includes(reference))
    const change = next ? await changeOf(deps, payment, next, why) : { payment, writes: [] }
    const writes = [...change.writes, ...deps.inbox.close(notification, whole)]
    return { writes, next: change.payment, learnt, outcome: whole }
  }
  if (areFull(payment.facts)) {
    return ended({ status: 'FAILED', detail: 'The payment has no room for further facts' })
  }
  const [wrong] = mismatched
  if (!wrong) {
    const next = revised(payment, edited, now)
    // The next reconciliation stores what one transaction does not hold.
    return ended({ status: 'PROCESSED', detail: null }, isWhole ? next : { ...next, dueAt: timestamp(now) })
  }
  const flagged = wrong.kind === 'succeeded' ? withWrongSum(edited, notification.id) : edited
  const detail = mismatchOf(payment, wrong)
  return ended({ status: 'MISMATCHED', detail, statement: wrong }, revised(payment, flagged, now))
}

function merged(
  payment: Payment,
  { eventId, references }: Notification,
  told: Told,
  now: Date,
): { next: Payment; mismatched: Statement[]; isWhole?: boolean } {
  if ('reading' in told) {
    const { next, ...rest } = withReading(payment, told.reading, now)
    return { ...rest, next: withWords(next, [], references) }
  }
  const { statement } = told
  if (mismatchOf(payment, statement) !== null) return { next: payment, mismatched: [statement] }
  return { next: withWords(payment, [{ ...statement, id: eventId }], references), mismatched: [] }
}

/** The payment with a notification of a sum that was not asked for. */
const withWrongSum = (payment: Payment, notificationId: string): Payment => ({
  ...payment,
  wrongSums: [...new Set([...payment.wrongSums, notificationId])].slice(0, 50),
})

/** The payment without it, once somebody has decided. */
export const withoutWrongSum = (payment: Payment, notificationId: string): Payment => ({
  ...payment,
  wrongSums: payment.wrongSums.filter((id) => id !== notificationId),
})
