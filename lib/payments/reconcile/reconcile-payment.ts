import { DAY_SECONDS, MINUTE_SECONDS, secondsAfter, type Timestamp, timestamp } from '#lib/kernel/clock'
import { type ApplyDeps, applyWaiting } from '#lib/payments/callbacks/apply'
import { storeStated } from '#lib/payments/callbacks/store-stated'
import { changeOf } from '#lib/payments/change/change-payment'
import { closePage } from '#lib/payments/change/close-page'
import type { DueEntry, PaymentStore } from '#lib/payments/payment-store'
import { factsOf } from '#lib/payments/state/fact'
import { type Payment, revised, withDueAt, withNextReading, withOwnFact } from '#lib/payments/state/payment'
import { isPaid, ownFactId, statusOf } from '#lib/payments/state/payment-status'
import type { Reading } from '#lib/payments/state/reading'
import { type Circuit, callWhileClosed, isCircuitOpen } from '#lib/providers/circuit-breaker'
import type { PaymentProvider } from '#lib/providers/provider'
import { readPayment } from '#lib/providers/read-payment'
import { dueReasonOf, nextDueAt, retryClosingAt, retryReadingAt } from '../state/schedule.ts'

/**
 * The outcome of reconciling one payment. `moved`: it has another status. `postponed`: the circuit is open, or the
 * provider's limit of this minute is reached.
 */
export type End = 'moved' | 'expired' | 'failed' | 'unchanged' | 'postponed'

/** An entry of the list of due payments, and its payment as just read. */
export type Due = {
  entry: DueEntry
  payment: Payment | undefined
  /** In how many minutes its provider account may be asked about one more payment; 0 for now. */
  delayMinutes: number
  /** Receives why the payment could not be read. */
  reportFault: (fault: unknown) => void
}

/**
 * Reconciles one payment that is due. First its entry moves: to the time when the provider may be asked again, or to the
 * payment's next regular time. Then the provider is read, and its answer is stored. Throws `WriteConflict` where the
 * payment has changed since it was read: the payment is then still due.
 */
export async function reconcilePayment(deps: ApplyDeps & { payments: PaymentStore }, due: Due): Promise<End> {
  const { entry, payment, delayMinutes, reportFault } = due
  // The payment is due at another time, or is gone: its entry was left behind.
  if (payment?.dueAt !== entry.dueAt) {
    await deps.payments.commit([deps.payments.dropDue(entry)])
    return 'unchanged'
  }
  const provider = await deps.providers.find(payment.provider)
  const circuit = await deps.circuitBreaker.of(payment.provider)
  const later = provider && postponedTo(circuit, delayMinutes, deps.now())
  if (later) {
    await deps.payments.commit(deps.payments.save(payment, withDueAt(payment, later)))
    return 'postponed'
  }
  const moved = await storeNextTime(deps, payment)
  const answer = await ask(deps, provider, circuit, moved)
  const after = await storeAnswer(deps, moved, provider, answer)
  if (answer.fault !== undefined) {
    reportFault(answer.fault)
    return 'failed'
  }
  if (after.status === moved.status) return 'unchanged'
  return after.status === 'EXPIRED' ? 'expired' : 'moved'
}

/**
 * Returns when a provider account may be asked about one more payment; null for now. A backlog is spread over the minutes
 * that it takes, so that each of its payments moves once.
 */
function postponedTo(circuit: Circuit, delayMinutes: number, now: Date): Timestamp | null {
  if (isCircuitOpen(circuit, now)) return circuit.until
  return delayMinutes === 0 ? null : timestamp(secondsAfter(now, delayMinutes * MINUTE_SECONDS))
}

/**
 * Moves a payment's entry to its next regular time. That of a paid payment without a pending refund is days away: then the
 * entry moves to a retry within hours, in case this function dies before it stores the answer.
 */
async function storeNextTime(deps: ApplyDeps, before: Payment): Promise<Payment> {
  // The payment itself is not edited: only its next reading is set.
  const next = withNextReading(before, before, deps.now())
  const isDaysAway = isPaid(next) && dueReasonOf(next, deps.now()) !== 'refund'
  const edited = isDaysAway ? { ...next, dueAt: retryReadingAt(next, deps.now()) ?? next.dueAt } : next
  const why = { actor: 'system', reason: 'reconciliation' }
  const { payment, writes } = await changeOf(deps, before, edited, why)
  await deps.payments.commit(writes)
  return payment
}

type Answer = { reading: Reading | null; fault?: unknown; isPageClosed: boolean }

async function ask(
  deps: ApplyDeps,
  provider: PaymentProvider | undefined,
  circuit: Circuit,
  payment: Payment,
): Promise<Answer> {
  const { isPageClosed } = payment
  if (!provider) return { reading: null, isPageClosed }
  try {
    const read = () => readPayment(provider, { payment }, deps.now)
    const reading = await callWhileClosed(circuit, deps.circuitBreaker, payment.provider, deps.now, read)
    const closed = await closePage(provider, withExpiry(payment, deps.now()))
    return { reading, isPageClosed: closed.isPageClosed }
  } catch (fault) {
    return { reading: null, fault, isPageClosed }
  }
}

/** Stores what was read, the expiry of a payment whose time is over, and how often reading it has failed. */
async function storeAnswer(
  deps: ApplyDeps,
  seen: Payment,
  provider: PaymentProvider | undefined,
  answer: Answer,
): Promise<Payment> {
  const { reading } = answer
  // No callback caused the reading, so none adds references to it.
  const stated = reading && ({ kind: 'reading', reading, references: [] } as const)
  const actor = reading ? `provider:${seen.provider}` : 'system'
  const { payment, newReferences } = await storeStated(deps, seen.id, stated, {
    why: { actor, reason: 'reconciliation' },
    seen,
    edit: (merged, { isComplete }, before) => {
      const now = deps.now()
      const next = revised(before, withAnswer(before, merged, answer, now), now)
      // The due time stays where another function has set it meanwhile, or where further facts are still to be stored.
      const isLast = isComplete && before.dueAt === seen.dueAt
      return isLast ? withNextDueTime(next, provider, answer, now) : next
    },
  })
  await applyWaiting(deps, seen.provider, newReferences)
  return payment
}

const withAnswer = (before: Payment, merged: Payment, answer: Answer, now: Date): Payment => ({
  ...withExpiry(merged, now),
  faults: answer.fault === undefined ? 0 : before.faults + 1,
  isPageClosed: before.isPageClosed || answer.isPageClosed,
})

/** Adds the fact that a payment has expired, where until now only the clock says so. PROCESSING never expires. */
function withExpiry(payment: Payment, now: Date): Payment {
  if (statusOf(payment, now) !== 'EXPIRED' || factsOf(payment.facts, 'expired').length > 0) return payment
  const fact = { kind: 'expired', id: ownFactId('expired', payment.id), at: payment.expiresAt } as const
  const expired = withOwnFact(payment, fact)
  return { ...expired, status: statusOf(expired, now) }
}

/**
 * Sets the payment's next due time by the reason for which it is due. A failed reading of a paid payment is tried again
 * soon, and so is closing a page that the provider can close.
 */
function withNextDueTime(
  payment: Payment,
  provider: PaymentProvider | undefined,
  { fault }: Answer,
  now: Date,
): Payment {
  const reason = dueReasonOf(payment, now)
  if (reason === null || reason === 'reread' || reason === 'dispute') {
    const next = nextDueAt(reason, payment, now)
    return { ...payment, dueAt: fault === undefined ? next : (retryReadingAt(payment, now) ?? next) }
  }
  // Left as `storeNextTime` has set it.
  if (!provider || reason === 'open') return payment
  if (!provider.readPayment && !provider.close) {
    // Only the passing of time can change such a payment: a pending refund needs someone after a day.
    return { ...payment, dueAt: reason === 'refund' ? timestamp(secondsAfter(now, DAY_SECONDS)) : null }
  }
  if (reason === 'page' && provider.close) return { ...payment, dueAt: retryClosingAt(payment, now) }
  // A pending refund, or a page that cannot be closed: left as `storeNextTime` has set it, too.
  return payment
}
