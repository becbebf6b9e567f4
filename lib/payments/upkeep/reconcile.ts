import { secondsAfter, timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import type { PaymentId } from '#lib/kernel/id'
import { knownPayment, type Telling, tellings } from '#lib/payments/callbacks/confirm'
import { notificationOf } from '#lib/payments/callbacks/notification'
import {
  mismatchOf,
  type SettleDeps,
  settleWaiting,
  withTold,
} from '#lib/payments/callbacks/settle-notification'
import { changeWrites } from '#lib/payments/change-payment'
import { factsOf } from '#lib/payments/fact'
import { asked, type Payment, withFacts } from '#lib/payments/payment'
import { statusOf } from '#lib/payments/payment-status'
import { refundsOf } from '#lib/payments/refunds/refund'
import { carryOn, isToAskFor, ours } from '#lib/payments/refunds/refund-payment'
import { untilWon } from '#lib/payments/until-won'

/** How many payments one run looks after, and how many of them at once. */
const LIMIT = 100
const AT_ONCE = 5

/** What a run has done. */
export type Reconciled = { looked: number; moved: number; expired: number; failed: number }

/**
 * Looks after payments that stay open: asks their providers how they stand, carries refunds on that were begun,
 * and lets go of what nobody has paid in time. Bounded work a run, the longest due first; safe to repeat. What is wrong
 * with one, such as its provider's configuration, is thrown once the others were looked after.
 */
export async function reconcile(deps: SettleDeps): Promise<Reconciled> {
  const due = await deps.payments.due(timestamp(deps.now()), LIMIT)
  const done: Reconciled = { looked: due.length, moved: 0, expired: 0, failed: 0 }
  const faults: unknown[] = []
  for (let start = 0; start < due.length; start += AT_ONCE) {
    const group = due.slice(start, start + AT_ONCE).map((id) => lookAfter(deps, id))
    for (const end of await Promise.allSettled(group)) {
      if (end.status === 'rejected') faults.push(end.reason)
      else if (end.value) done[end.value] += 1
    }
  }
  if (faults.length > 0) throw new AggregateError(faults, `${faults.length} payments: ${faults.join('; ')}`)
  return done
}

type End = 'moved' | 'expired' | 'failed' | undefined

async function lookAfter(deps: SettleDeps, id: PaymentId): Promise<End> {
  const payment = await deps.payments.get(id)
  if (!payment) return undefined
  // What a provider does not answer now it may answer the next time, and what is wrong may be mended by then.
  const told = await attempt(() => askAbout(deps, payment))
  const kept = await keep(deps, payment, told)
  const resumed = await attempt(() => resumeRefunds(deps, kept))
  for (const { fault } of [told, resumed]) if (fault && !(fault instanceof DomainError)) throw fault
  if (told.fault || resumed.fault) return 'failed'
  const { status } = resumed.value ?? kept
  if (status === payment.status) return undefined
  return status === 'EXPIRED' ? 'expired' : 'moved'
}

type Attempt<T> = { value?: T; fault?: Error }

/** What became of work that may fail without ending the rest. */
async function attempt<T>(work: () => Promise<T>): Promise<Attempt<T>> {
  try {
    return { value: await work() }
  } catch (error) {
    return { fault: error instanceof Error ? error : new Error(String(error)) }
  }
}

async function askAbout(deps: SettleDeps, payment: Payment): Promise<Telling[]> {
  const provider = await deps.providers.find(payment.provider)
  return provider ? tellings(provider, { payment: knownPayment(payment), claim: null }) : []
}

/**
 * Carries on refunds of ours that the provider has not ended, and answers the payment as it then is. Their own ids keep
 * them from being made twice.
 */
async function resumeRefunds(deps: SettleDeps, payment: Payment): Promise<Payment | undefined> {
  const why = { actor: 'system', reason: 'refund carried on' }
  const provider = await deps.providers.find(payment.provider)
  const waiting = refundsOf(payment.facts).flatMap(({ id }) => {
    const begun = id && ours(payment, id)
    return begun && provider && isToAskFor(payment, begun, provider, deps.now()) ? [id] : []
  })
  let fault: Error | undefined
  for (const id of waiting) fault = (await attempt(() => carryOn(deps, payment.id, id, why))).fault ?? fault
  if (fault) throw fault
  return waiting.length > 0 ? deps.payments.get(payment.id) : payment
}

/** Writes what was told into the payment, that its time is over if it is, and when to ask again. */
async function keep(deps: SettleDeps, seen: Payment, asking: Attempt<Telling[]>): Promise<Payment> {
  const { provider } = seen
  const told = asking.value ?? []
  const fitting = told.filter(({ statement }) => mismatchOf(seen, statement) === null)
  for (const telling of told) if (!fitting.includes(telling)) await report(deps, seen, telling)
  const { before, after } = await untilWon(async () => {
    const before = await deps.payments.get(seen.id)
    if (!before) throw new DomainError('not_found')
    const now = deps.now()
    const heard = withTold(before, fitting, [], now)
    const next = asking.value || isLongOver(before, now) ? withExpiry(heard, now) : heard
    const after = asked({ ...next, version: before.version + 1 }, now)
    const why = { actor: fitting.length > 0 ? `provider:${provider}` : 'system', reason: 'reconciliation' }
    await deps.payments.commit(changeWrites(deps, before, after, why))
    return { before, after }
  })
  const learnt = after.references.filter((reference) => !before.references.includes(reference))
  await settleWaiting(deps, provider, learnt)
  return after
}

/** A provider that has not answered for as long after a payment's time was over is not asked any more. */
const LAST_ASKED_SECONDS = 7 * 24 * 60 * 60

const isLongOver = ({ expiresAt }: Payment, now: Date): boolean =>
  secondsAfter(new Date(expiresAt), LAST_ASKED_SECONDS) < now

/** That nobody paid in time, as a fact of its own: until now only the clock said so. */
function withExpiry(payment: Payment, now: Date): Payment {
  if (statusOf(payment, now) !== 'EXPIRED' || factsOf(payment.facts, 'expired').length > 0) return payment
  return withFacts(
    payment,
    [{ kind: 'expired', id: `expired:${payment.id}`, at: payment.expiresAt }],
    [],
    now,
  )
}

/** Money that does not match what was asked for needs someone, however we came to hear of it. */
async function report(deps: SettleDeps, payment: Payment, telling: Telling): Promise<void> {
  const callback = {
    name: payment.provider,
    provider: { readsHeaders: [] },
    request: { rawBody: Buffer.from(JSON.stringify(telling)), headers: {} },
  }
  const notification = notificationOf(callback, telling, deps)
  const processedAt = notification.receivedAt
  const detail = mismatchOf(payment, telling.statement)
  await deps.inbox.insert({
    ...notification,
    status: 'MISMATCHED',
    paymentId: payment.id,
    detail,
    processedAt,
  })
}
