import { DAY_SECONDS, HOUR_SECONDS, secondsAfter, type Timestamp, timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import type { DataKeys } from '#lib/kernel/sealed'
import type { Write } from '#lib/kernel/write'
import { ALWAYS_CLOSED, type CircuitBreaker, callProvider } from '#lib/providers/circuit-breaker'
import { inTime } from '#lib/providers/in-time'
import type { PayoutQuestion, PayoutState, ProviderPayouts } from '#lib/providers/payout-port'
import type { Providers } from '#lib/providers/registry'
import { type ChangePayoutDeps, changePayout } from './change-payout.ts'
import { hasGoneOut, type Payout } from './payout.ts'
import { unsealTarget } from './payout-account.ts'

export type ReadPayoutDeps = ChangePayoutDeps & {
  providers: Pick<Providers, 'find'>
  circuitBreaker: CircuitBreaker
}

/** Sending also reads the payout account, which is encrypted. */
export type SendPayoutDeps = ReadPayoutDeps & { dataKeys: DataKeys }

/** The outcome of reading a payout: the provider knows the payout, does not know it, or did not answer. */
type PayoutReading = { kind: 'known'; payout: Payout } | { kind: 'unknown' } | { kind: 'unanswered' }

/** A payout is read again after as long as it has been under way, within these bounds. */
const FIRST_READING_SECONDS = 5
const LONGEST_READING_SECONDS = HOUR_SECONDS
/** After this many readings in a row without the payout, an administrator has to say how it ended. */
const MISSES_ENOUGH = 2
/** After this time without an answer, an administrator has to say how a payout ended. */
const UNANSWERED_SECONDS = DAY_SECONDS

/**
 * Reads a payout from its provider and stores the answer. An ended payout is not read. With `isUrgent`, the provider is
 * asked even while its circuit breaker is open. Throws what the stores throw.
 */
export async function readPayout(
  deps: ReadPayoutDeps,
  payout: Payout,
  { isUrgent = false }: { isUrgent?: boolean } = {},
): Promise<PayoutReading> {
  // `sealed` is erased once the payout has ended.
  if (payout.sealed === null) return { kind: 'known', payout }
  const provider = payout.provider === null ? undefined : await deps.providers.find(payout.provider)
  if (!provider?.payouts || payout.provider === null) {
    return markUnanswered(deps, payout)
  }
  const { payouts } = provider
  const question = questionOf(payout, deps.now())
  const breaker = isUrgent ? ALWAYS_CLOSED : deps.circuitBreaker
  try {
    const read = () => inTime(() => payouts.read(question))
    const state = await callProvider(breaker, payout.provider, deps.now, read)
    if (state === null) return await markMissed(deps, payout)
    // `asked`: the provider sends its answer as a callback.
    if (state.state === 'asked') return await markUnanswered(deps, payout)
    return { kind: 'known', payout: await storeReading(deps, payout, state) }
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    return markUnanswered(deps, payout)
  }
}

/**
 * Asks a provider to pay. `sentAt` is stored before, so that the provider is asked only once. After a lost answer the
 * payout is read at once, and later by a scheduled job. Throws what the stores throw.
 */
export async function startPayout(
  deps: SendPayoutDeps,
  payout: Payout,
  payouts: ProviderPayouts,
): Promise<Payout> {
  const now = deps.now()
  let isOurs = false
  const sent = await changePayout(deps, payout.id, { reason: 'sent' }, (seen) => {
    isOurs = seen.version === payout.version && seen.status === 'PENDING' && seen.sentAt === null
    return isOurs ? { sentAt: timestamp(now), dueAt: nextReading(timestamp(now), now) } : undefined
  })
  // Another function has changed the payout since it was read: it may have been cancelled, or sent by another run.
  if (!isOurs) return sent
  // Only an ended payout has no sealed account.
  if (sent.sealed === null) return sent
  const target = await unsealTarget(deps, { agentId: sent.agentId, sealed: sent.sealed })
  try {
    return await storeReading(deps, sent, await payouts.start({ ...questionOf(sent, now), target }))
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    const reading = await readPayout(deps, sent)
    return reading.kind === 'known' ? reading.payout : sent
  }
}

/** Returns a payout as its provider is asked about it. */
export function questionOf(payout: Payout, now: Date): PayoutQuestion {
  const { id, amount, currency, country, reference, sentAt } = payout
  return { id, amount, currency, country, reference, sentAt: sentAt ?? timestamp(now) }
}

/** Further writes of the transaction that stores a state. */
type Also = { also?: (next: Payout) => Write[] }

/** Stores how a payout stands now, as its provider answered. */
export const storeReading = (
  deps: ChangePayoutDeps,
  { id }: Pick<Payout, 'id'>,
  state: PayoutState,
  more: Also = {},
): Promise<Payout> =>
  changePayout(deps, id, { reason: 'provider', ...more }, (seen) => movedBy(seen, state, deps.now()))

/** Stores what an authentic callback says of a payout, unless that `contradicts` how it ended. */
export const storeClaim = (
  deps: ChangePayoutDeps,
  { id }: Pick<Payout, 'id'>,
  state: PayoutState,
  more: Also = {},
): Promise<Payout> =>
  changePayout(deps, id, { reason: 'provider', ...more }, (seen) =>
    contradicts(seen, state) ? undefined : movedBy(seen, state, deps.now()),
  )

/**
 * Whether a callback contradicts the provider's last statement about an ended payout, so that the provider has to be
 * read. `returned` contradicts nothing: the money comes back last.
 */
export function contradicts(payout: Payout, { state }: PayoutState): boolean {
  const wasPaid = payout.paidAt !== null
  return hasEnded(payout) && state === (wasPaid ? 'failed' : 'paid')
}

/** Whether a callback repeats how a payout is known to have ended. */
export function isKnown(payout: Payout, { state }: PayoutState): boolean {
  if (!hasEnded(payout)) return false
  const isBack = state === 'failed' || state === 'returned'
  return payout.paidAt === null ? isBack : state === 'paid'
}

const hasEnded = ({ status }: Payout): boolean => status === 'PAID' || status === 'FAILED'

/**
 * Returns how a payout changes by what its provider says; undefined where it does not. A payout that failed stays
 * FAILED: its money is back with the agent, and may be paid out again. When the provider has paid it after all, someone
 * has to resolve it.
 */
function movedBy(
  seen: Payout,
  { state, reference, failure }: PayoutState,
  now: Date,
): Partial<Payout> | undefined {
  if (!hasGoneOut(seen) || state === 'asked') return undefined
  const answered = { reference: seen.reference ?? reference, misses: 0, needsResolution: false }
  const isOpen = seen.status === 'PENDING'
  switch (state) {
    case 'pending':
      return isOpen ? { ...answered, dueAt: nextReading(seen.sentAt ?? seen.createdAt, now) } : undefined
    case 'paid':
      if (isOpen) return { ...answered, status: 'PAID', paidAt: timestamp(now), dueAt: null }
      if (seen.paidAt !== null) return undefined
      // Paid after it had failed: the status stays FAILED.
      return { ...answered, paidAt: timestamp(now), needsResolution: true }
    case 'failed':
    case 'returned':
      // Money that was paid may still come back.
      if (!isOpen && seen.paidAt === null) return undefined
      return { ...answered, status: 'FAILED', paidAt: null, failure: failure ?? FAILURES[state], dueAt: null }
  }
}

const FAILURES = {
  failed: { code: 'failed', message: 'The provider could not pay' },
  returned: { code: 'returned', message: 'The money came back' },
}

/** Makes a payout due at once, because a callback about it could not be confirmed. */
export async function markPayoutDue(deps: ChangePayoutDeps, { id }: Pick<Payout, 'id'>): Promise<void> {
  await changePayout(deps, id, { reason: 'read' }, (seen) =>
    seen.status === 'PENDING' && hasGoneOut(seen) ? { dueAt: timestamp(deps.now()) } : undefined,
  )
}

async function markMissed(deps: ReadPayoutDeps, { id }: Payout): Promise<PayoutReading> {
  await changePayout(deps, id, { reason: 'read' }, (seen) => {
    if (seen.status !== 'PENDING') return undefined
    const misses = seen.misses + 1
    // A payout that needs someone after a day without an answer still does.
    const needsResolution = seen.needsResolution || misses >= MISSES_ENOUGH
    return {
      misses,
      needsResolution,
      dueAt: nextReading(seen.sentAt ?? seen.createdAt, deps.now()),
    }
  })
  return { kind: 'unknown' }
}

async function markUnanswered(deps: ReadPayoutDeps, { id }: Payout): Promise<PayoutReading> {
  await changePayout(deps, id, { reason: 'read' }, (seen) => {
    if (seen.status !== 'PENDING') return undefined
    const since = seen.sentAt ?? seen.createdAt
    const isLate = Date.parse(since) + UNANSWERED_SECONDS * 1000 <= deps.now().getTime()
    return { needsResolution: seen.needsResolution || isLate, dueAt: nextReading(since, deps.now()) }
  })
  return { kind: 'unanswered' }
}

/** Returns when a payout is read again: soon at first, then after as long as it has been under way. */
function nextReading(since: Timestamp, now: Date): Timestamp {
  const age = (now.getTime() - Date.parse(since)) / 1000
  const seconds = Math.min(Math.max(age, FIRST_READING_SECONDS), LONGEST_READING_SECONDS)
  return timestamp(secondsAfter(now, seconds))
}
