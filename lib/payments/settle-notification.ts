import { announce } from '#lib/events/event'
import { type Clock, timestamp } from '#lib/kernel/clock'
import { type NewId, PaymentId } from '#lib/kernel/id'
import type { Money } from '#lib/kernel/money'
import type { Write } from '#lib/kernel/write'
import { factsOf, type Statement } from './fact.ts'
import type { Inbox, Outcome } from './inbox.ts'
import type { Notification } from './notification.ts'
import { type Payment, withFact } from './payment.ts'
import { isAskedFor } from './payment-status.ts'
import type { PaymentStore } from './payment-store.ts'
import { isRace, untilWon } from './until-won.ts'

export type SettleDeps = { payments: PaymentStore; inbox: Inbox; now: Clock; newId: NewId }

/** More than any payment's life has; it only bounds what a provider may make us keep in one item. */
const FACT_LIMIT = 500

/**
 * Brings a kept notification to its end: into the payment it speaks of, or to wait for that payment. Safe to
 * repeat, in parallel too: however many settle it, the payment moves once, and what one began another ends.
 */
export async function settle(deps: SettleDeps, notification: Notification): Promise<void> {
  const { provider, references, status } = notification
  // Whoever processed it may have died before it looked for what waits by the names learnt.
  if (status === 'PROCESSED') return settleWaiting(deps, provider, references)
  if (status !== 'UNMATCHED' || (await apply(deps, notification)) || notification.waits) return
  // The payment may be written after the first look, and then look here before the word is left: look again.
  await apply(deps, await deps.inbox.wait(notification))
}

/** Settles what waits for a payment by these names. Call it once they are written. */
export async function settleWaiting(
  deps: SettleDeps,
  provider: string,
  references: readonly string[],
): Promise<void> {
  if (references.length === 0) return
  for (const waiting of await deps.inbox.waiting(provider, references)) {
    await apply(deps, waiting)
  }
}

/** Applies a notification to its payment; false when there is no such payment yet. */
async function apply(deps: SettleDeps, notification: Notification): Promise<boolean> {
  const learnt = await untilWon(async () => {
    const payment = await findPayment(deps.payments, notification)
    if (!payment) return undefined
    const change = changeOf(deps, payment, notification)
    try {
      await deps.payments.commit(change.writes)
      return change.learnt
    } catch (error) {
      // Another copy of it may have been faster: then all is done.
      if (isRace(error) && (await deps.inbox.get(notification.id))?.status !== 'UNMATCHED') return []
      throw error
    }
  })
  if (learnt === undefined) return false
  await settleWaiting(deps, notification.provider, learnt)
  return true
}

/** By our own id where the provider repeats it, else by any of its ids that we have learnt. */
async function findPayment(
  payments: PaymentStore,
  { provider, references }: Notification,
): Promise<Payment | undefined> {
  const [own] = references.flatMap((reference) => PaymentId.safeParse(reference).data ?? [])
  const payment = own && (await payments.get(own))
  // A provider may speak of its own payments only.
  if (payment?.provider === provider) return payment
  return payments.byReference(
    provider,
    references.filter((reference) => reference !== own),
  )
}

/** What a notification does to a payment, as one transaction, and the names of it that were new. */
function changeOf(
  deps: SettleDeps,
  payment: Payment,
  notification: Notification,
): { writes: Write[]; learnt: string[] } {
  const now = deps.now()
  const close = (status: Outcome['status'], detail: string | null): Write[] =>
    deps.inbox.close(notification, { status, detail, paymentId: payment.id, processedAt: timestamp(now) })
  const { statement } = notification
  if (statement === null) return { writes: close('IGNORED', null), learnt: [] }
  const mismatch = mismatchOf(payment, statement)
  if (mismatch !== null) return { writes: close('MISMATCHED', mismatch), learnt: [] }
  if (payment.facts.length >= FACT_LIMIT) {
    return { writes: close('FAILED', `The payment has ${FACT_LIMIT} facts already`), learnt: [] }
  }
  const fact = { ...named(deps, payment, statement), id: notification.eventId }
  const names = notification.references.filter((reference) => reference !== payment.id)
  const next = withFact(payment, fact, names, now)
  const learnt = next.references.filter((reference) => !payment.references.includes(reference))
  const why = { actor: `provider:${notification.provider}`, reason: notification.type }
  return {
    writes: [
      deps.payments.replace(next),
      ...close('PROCESSED', null),
      ...deps.payments.name(next, learnt),
      ...movesOf(deps, payment, next, why),
    ],
    learnt,
  }
}

/** Gives a refund that is new to us an id of ours. */
function named({ newId }: SettleDeps, payment: Payment, statement: Statement): Statement {
  if (statement.kind !== 'refund' || statement.refundId !== null) return statement
  const same = factsOf(payment.facts, 'refund').find(
    ({ providerRefundId }) => providerRefundId === statement.providerRefundId,
  )
  return { ...statement, refundId: same?.refundId ?? newId('refund') }
}

/** Why a statement cannot be true of this payment; null when it can. */
function mismatchOf(payment: Payment, statement: Statement): string | null {
  if (statement.kind === 'succeeded') {
    if (isAskedFor(payment, statement.money)) return null
    return `${sumOf(statement.money)} were paid, ${sumOf(payment)} were asked for`
  }
  if (statement.kind !== 'refund' && statement.kind !== 'refunded_total') return null
  const { money } = statement
  if (money && money.currency === payment.currency && money.amount <= payment.amount) return null
  return `${sumOf(money)} were given back of ${sumOf(payment)}`
}

const sumOf = (money: Money | null): string =>
  money ? `${money.amount} minor units of ${money.currency}` : 'An amount in no currency we know'

/** The history and the announcements of what has changed; none when nothing has. */
export function movesOf(
  { payments, newId }: Pick<SettleDeps, 'payments' | 'newId'>,
  before: Payment,
  after: Payment,
  why: { actor: string; reason: string },
): Write[] {
  const { id: subject, updatedAt: at, userId, provider, amount, currency, amountRefunded } = after
  const event = (type: 'payment.status_changed' | 'payment.refunded', data: Record<string, unknown>): Write =>
    announce({ id: newId('event'), type, subject, at, data: { userId, provider, amount, currency, ...data } })
  const writes: Write[] = []
  if (after.status !== before.status) {
    writes.push(payments.record({ payment: after, from: before.status, ...why }))
    writes.push(
      event('payment.status_changed', { from: before.status, to: after.status, reason: why.reason }),
    )
  }
  if (amountRefunded > before.amountRefunded) writes.push(event('payment.refunded', { amountRefunded }))
  return writes
}
