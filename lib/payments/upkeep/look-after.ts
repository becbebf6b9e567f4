import { secondsAfter, type Timestamp, timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import type { SettleDeps } from '#lib/payments/callbacks/apply-notification'
import { reportMismatch } from '#lib/payments/callbacks/report-mismatch'
import { settleWaiting } from '#lib/payments/callbacks/settle-notification'
import { changeWrites } from '#lib/payments/change-payment'
import { closePage } from '#lib/payments/checkout/close-page'
import { factsOf } from '#lib/payments/fact'
import { withReading } from '#lib/payments/merge'
import { dueAgainAt, lookedAt, type Payment, revised, withFacts } from '#lib/payments/payment'
import { careOf, closeAgainAt } from '#lib/payments/payment-due'
import { ownFactId, statusOf } from '#lib/payments/payment-status'
import type { DueEntry } from '#lib/payments/payment-store'
import { askingWhile, isPaused, LOOKS_A_MINUTE, type Pause } from '#lib/payments/provider/patience'
import type { PaymentProvider, PaymentReading } from '#lib/payments/provider/provider'
import { readPayment } from '#lib/payments/read-payment'
import { untilWon } from '#lib/payments/until-won'

/** How looking after one payment ended; `postponed` where its provider is left alone, or asked enough in this minute. */
export type End = 'moved' | 'expired' | 'failed' | 'same' | 'postponed'

/**
 * Looks after one payment that is due. First its entry moves: to when the provider may be asked again, or to the next
 * time, as if nothing were learnt. Then the provider is read, and what it says is stored.
 */
export async function lookAfter(deps: SettleDeps, entry: DueEntry): Promise<End> {
  const payment = await deps.payments.get(entry.id)
  if (payment?.dueAt !== entry.dueAt) {
    await deps.payments.commit([deps.payments.dropDue(entry)])
    return 'same'
  }
  const provider = await deps.providers.find(payment.provider)
  const pause = await deps.patience.of(payment.provider)
  const later = provider && (await postponedTo(deps, payment.provider, pause))
  if (later) {
    await deps.payments.commit(deps.payments.save(payment, dueAgainAt(payment, later)))
    return 'postponed'
  }
  const moved = await moveOn(deps, payment)
  const look = await read(deps, provider, pause, moved)
  const after = await keep(deps, moved, provider, look)
  if (look.fault) return 'failed'
  if (after.status === moved.status) return 'same'
  return after.status === 'EXPIRED' ? 'expired' : 'moved'
}

/**
 * When a provider account may be asked about one more payment; null for now. A backlog is spread over the minutes that it
 * takes, so that each of its payments moves once.
 */
async function postponedTo(
  { patience, now }: SettleDeps,
  provider: string,
  pause: Pause,
): Promise<Timestamp | null> {
  if (isPaused(pause, now())) return pause.until
  const looks = await patience.count(provider, 'looks', now())
  const minutes = Math.floor((looks - 1) / LOOKS_A_MINUTE)
  return minutes === 0 ? null : timestamp(secondsAfter(now(), minutes * MINUTE_SECONDS))
}

const MINUTE_SECONDS = 60
const DAY_SECONDS = 24 * 60 * MINUTE_SECONDS

/** Moves a payment's entry to when the payment is looked at after this. */
async function moveOn(deps: SettleDeps, payment: Payment): Promise<Payment> {
  const next = lookedAt(payment, payment, deps.now())
  await deps.payments.commit(
    await changeWrites(deps, payment, next, { actor: 'system', reason: 'reconciliation' }),
  )
  return next
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
 * transaction cannot hold is stored in several.
 */
async function keep(
  deps: SettleDeps,
  seen: Payment,
  provider: PaymentProvider | undefined,
  look: Look,
): Promise<Payment> {
  const { reading, fault, isPageClosed } = look
  const reported = reading ? withReading(seen, reading, deps.now()).mismatched : []
  const wrong = await Promise.all(reported.map((statement) => reportMismatch(deps, seen, statement)))
  const { before, after, isWhole } = await untilWon(async () => {
    const before = await deps.payments.get(seen.id)
    if (!before) throw new DomainError('not_found')
    const now = deps.now()
    const { next: told, isWhole } = reading
      ? withReading(before, reading, now)
      : { next: before, isWhole: true }
    const faults = fault === undefined ? 0 : before.faults + 1
    const wrongSums = [...new Set([...told.wrongSums, ...wrong.flatMap((id) => id ?? [])])]
    const edited = {
      ...withExpiry(told, now),
      faults,
      wrongSums,
      isPageClosed: before.isPageClosed || isPageClosed,
    }
    const after = withUsefulLook(revised(before, edited, now), provider, now)
    const actor = reading ? `provider:${seen.provider}` : 'system'
    await deps.payments.commit(await changeWrites(deps, before, after, { actor, reason: 'reconciliation' }))
    return { before, after, isWhole }
  })
  const learnt = after.references.filter((reference) => !before.references.includes(reference))
  await settleWaiting(deps, seen.provider, learnt)
  return isWhole ? after : keep(deps, after, provider, look)
}

/** That nobody paid in time, as a fact of its own: until now only the clock said so. PROCESSING never expires. */
function withExpiry(payment: Payment, now: Date): Payment {
  if (statusOf(payment, now) !== 'EXPIRED' || factsOf(payment.facts, 'expired').length > 0) return payment
  const fact = { kind: 'expired', id: ownFactId('expired', payment.id), at: payment.expiresAt } as const
  const expired = withFacts(payment, [fact])
  return { ...expired, status: statusOf(expired, now) }
}

/**
 * A payment that has ended is not looked at where its provider can neither be read nor close its page, but for a pending
 * refund: in time that needs someone. A page that the provider could have closed and has not is tried again soon.
 */
function withUsefulLook(payment: Payment, provider: PaymentProvider | undefined, now: Date): Payment {
  const care = careOf(payment, now)
  if (!provider || care === 'open' || care === null) return payment
  if (!provider.readPayment && !provider.close) {
    return { ...payment, dueAt: care === 'refund' ? timestamp(secondsAfter(now, DAY_SECONDS)) : null }
  }
  return care === 'page' && provider.close ? { ...payment, dueAt: closeAgainAt(payment, now) } : payment
}
