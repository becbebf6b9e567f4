import { isDeepStrictEqual } from 'node:util'
import { secondsAfter, type Timestamp, timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import type { NotificationId } from '#lib/kernel/id'
import type { SettleDeps } from '#lib/payments/callbacks/apply-notification'
import { reportMismatch } from '#lib/payments/callbacks/report-mismatch'
import { settleWaiting } from '#lib/payments/callbacks/settle-notification'
import { changeOf } from '#lib/payments/change-payment'
import { closePage } from '#lib/payments/checkout/close-page'
import { factsOf } from '#lib/payments/fact'
import { withReading } from '#lib/payments/merge'
import { dueAgainAt, lookedAt, type Payment, revised, withFacts } from '#lib/payments/payment'
import { careOf, closeAgainAt, lookAgainAt } from '#lib/payments/payment-due'
import { ownFactId, statusOf } from '#lib/payments/payment-status'
import type { DueEntry } from '#lib/payments/payment-store'
import { askingWhile, isPaused, type Pause } from '#lib/payments/provider/patience'
import type { PaymentProvider, PaymentReading } from '#lib/payments/provider/provider'
import { readPayment } from '#lib/payments/read-payment'
import { untilWon } from '#lib/payments/until-won'

/** How looking after one payment ended; `postponed` where its provider is left alone, or asked enough in this minute. */
export type End = 'moved' | 'expired' | 'failed' | 'same' | 'postponed'

/** An entry of the list of due payments, and its payment as just read. */
export type Due = {
  entry: DueEntry
  payment: Payment | undefined
  /** In how many minutes its provider account may be asked about one more payment. */
  minutes: number
  /** Is told why the payment could not be read. */
  failed: (fault: unknown) => void
}

/**
 * Looks after one payment that is due. First its entry moves: to when the provider may be asked again, or to the next
 * time, as if nothing were learnt. Then the provider is read, and what it says is stored. Throws `WriteConflict` where
 * the payment has changed since it was read: it is due still.
 */
export async function lookAfter(deps: SettleDeps, due: Due): Promise<End> {
  const { entry, payment, minutes, failed } = due
  if (payment?.dueAt !== entry.dueAt) {
    await deps.payments.commit([deps.payments.dropDue(entry)])
    return 'same'
  }
  const provider = await deps.providers.find(payment.provider)
  const pause = await deps.patience.of(payment.provider)
  const later = provider && postponedTo(pause, minutes, deps.now())
  if (later) {
    await deps.payments.commit(deps.payments.save(payment, dueAgainAt(payment, later)))
    return 'postponed'
  }
  const moved = await moveOn(deps, payment)
  const look = await read(deps, provider, pause, moved)
  const after = await keep(deps, moved, provider, look)
  if (look.fault !== undefined) {
    failed(look.fault)
    return 'failed'
  }
  if (after.status === moved.status) return 'same'
  return after.status === 'EXPIRED' ? 'expired' : 'moved'
}

/**
 * When a provider account may be asked about one more payment; null for now. A backlog is spread over the minutes that it
 * takes, so that each of its payments moves once.
 */
function postponedTo(pause: Pause, minutes: number, now: Date): Timestamp | null {
  if (isPaused(pause, now)) return pause.until
  return minutes === 0 ? null : timestamp(secondsAfter(now, minutes * MINUTE_SECONDS))
}

const MINUTE_SECONDS = 60
const DAY_SECONDS = 24 * 60 * MINUTE_SECONDS

/**
 * Moves a payment's entry to when the payment is looked at after this. One that this look is the last for stays due, in
 * case that the function dies before it has looked.
 */
async function moveOn(deps: SettleDeps, payment: Payment): Promise<Payment> {
  const next = lookedAt(payment, payment, deps.now())
  const dueAt = next.dueAt ?? lookAgainAt(next, deps.now())
  return store(deps, payment, { ...next, dueAt }, 'system')
}

/** Stores the next version of a payment, and answers it as stored. */
async function store(deps: SettleDeps, before: Payment, edited: Payment, actor: string): Promise<Payment> {
  const { payment, writes } = await changeOf(deps, before, edited, { actor, reason: 'reconciliation' })
  await deps.payments.commit(writes)
  return payment
}

/** What looking at a payment came to. */
type Look = { reading: PaymentReading | null; fault?: unknown; isPageClosed: boolean }

async function read(
  deps: SettleDeps,
  provider: PaymentProvider | undefined,
  pause: Pause,
  payment: Payment,
): Promise<Look> {
  const { isPageClosed } = payment
  if (!provider) return { reading: null, isPageClosed }
  try {
    const reading = await askingWhile(pause, deps.patience, payment.provider, deps.now, () =>
      readPayment(provider, { payment }),
    )
    const closed = await closePage(provider, withExpiry(payment, deps.now()))
    return { reading, isPageClosed: closed.isPageClosed }
  } catch (fault) {
    return { reading: null, fault, isPageClosed }
  }
}

/**
 * Stores what was read, that the payment's time is over if it is, and how often reading it has failed. A reading that one
 * transaction cannot hold is stored in several; one that says nothing new in none.
 */
async function keep(
  deps: SettleDeps,
  seen: Payment,
  provider: PaymentProvider | undefined,
  look: Look,
): Promise<Payment> {
  const { before, after, isWhole } = await untilWon(async (isRetry) => {
    const before = isRetry ? await deps.payments.get(seen.id) : seen
    if (!before) throw new DomainError('not_found')
    const now = deps.now()
    const { edited, isWhole } = withLook(before, look, await wrongSumsOf(deps, before, look), now)
    const next = revised(before, edited, now)
    // What another function has made due since then stays due, and so does what is not stored in whole yet.
    const isLast = isWhole && before.dueAt === seen.dueAt
    const after = isLast ? withUsefulLook(next, provider, look, now) : next
    if (isSame(before, after)) return { before, after: before, isWhole }
    const actor = look.reading ? `provider:${seen.provider}` : 'system'
    return { before, after: await store(deps, before, after, actor), isWhole }
  })
  const learnt = after.references.filter((reference) => !before.references.includes(reference))
  await settleWaiting(deps, seen.provider, learnt)
  return isWhole ? after : keep(deps, after, provider, look)
}

/** The notifications of charges in a reading that somebody has to decide on. */
async function wrongSumsOf(deps: SettleDeps, payment: Payment, { reading }: Look): Promise<NotificationId[]> {
  const wrong = reading ? withReading(payment, reading, deps.now()).mismatched : []
  const ids = await Promise.all(wrong.map((statement) => reportMismatch(deps, payment, statement)))
  return ids.flatMap((id) => id ?? [])
}

/** The payment with the result of a look; `isWhole` is false where a part of the result is left to store. */
function withLook(
  payment: Payment,
  { reading, fault, isPageClosed }: Look,
  wrongSums: readonly string[],
  now: Date,
): { edited: Payment; isWhole: boolean } {
  const { next, isWhole } = reading ? withReading(payment, reading, now) : { next: payment, isWhole: true }
  const edited = {
    ...withExpiry(next, now),
    faults: fault === undefined ? 0 : payment.faults + 1,
    wrongSums: [...new Set([...next.wrongSums, ...wrongSums])],
    isPageClosed: payment.isPageClosed || isPageClosed,
  }
  return { edited, isWhole }
}

/** Whether a version differs from the one before it by its number alone. */
const isSame = (before: Payment, after: Payment): boolean =>
  isDeepStrictEqual({ ...after, version: before.version, updatedAt: before.updatedAt }, before)

/** That nobody paid in time, as a fact of its own: until now only the clock said so. PROCESSING never expires. */
function withExpiry(payment: Payment, now: Date): Payment {
  if (statusOf(payment, now) !== 'EXPIRED' || factsOf(payment.facts, 'expired').length > 0) return payment
  const fact = { kind: 'expired', id: ownFactId('expired', payment.id), at: payment.expiresAt } as const
  const expired = withFacts(payment, [fact])
  return { ...expired, status: statusOf(expired, now) }
}

/**
 * The payment with its next look, if that is of use. The last look is made again where it failed. A payment that has
 * ended is not looked at where its provider can neither be read nor close its page, but for a pending refund: in time that
 * needs someone. A page that the provider could have closed and has not is tried again soon.
 */
function withUsefulLook(
  payment: Payment,
  provider: PaymentProvider | undefined,
  { fault }: Look,
  now: Date,
): Payment {
  const care = careOf(payment, now)
  if (care === null) return { ...payment, dueAt: fault === undefined ? null : lookAgainAt(payment, now) }
  if (!provider || care === 'open') return payment
  if (!provider.readPayment && !provider.close) {
    return { ...payment, dueAt: care === 'refund' ? timestamp(secondsAfter(now, DAY_SECONDS)) : null }
  }
  return care === 'page' && provider.close ? { ...payment, dueAt: closeAgainAt(payment, now) } : payment
}
