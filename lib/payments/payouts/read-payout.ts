import { secondsAfter, type Timestamp, timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import { type DataKeys, unseal } from '#lib/kernel/sealed'
import { ALWAYS_CLOSED, type CircuitBreaker, callProvider } from '#lib/payments/provider/circuit-breaker'
import {
  type PayoutOrder,
  type PayoutState,
  PayoutTarget,
  type ProviderPayouts,
} from '#lib/payments/provider/payout-port'
import type { Providers } from '#lib/payments/provider/registry'
import { type ChangePayoutDeps, changePayout } from './change-payout.ts'
import type { Payout } from './payout.ts'

export type ReadPayoutDeps = ChangePayoutDeps & {
  providers: Pick<Providers, 'find'>
  circuitBreaker: Pick<CircuitBreaker, 'of' | 'countFailure' | 'open' | 'close'>
  dataKeys: DataKeys
}

/** How a reading of a payout ended: the provider knows it, knows none, or did not answer. */
export type PayoutReading = { kind: 'known'; payout: Payout } | { kind: 'unknown' } | { kind: 'unanswered' }

/** A payout is read again after this time, doubled with its age, at most an hour. */
const FIRST_READING_SECONDS = 5
const LONGEST_READING_SECONDS = 60 * 60
/** A provider that knew no such payout this often does not have it. */
const MISSES_ENOUGH = 2
/** After this time without an answer somebody has to say what became of a payout. */
const UNANSWERED_SECONDS = 24 * 60 * 60

/**
 * Reads a payout from its provider and stores what it says. One that has ended is not asked for. The provider is asked even while its circuit breaker is open
 * where `isUrgent`. Throws what the stores throw.
 */
export async function readPayout(
  deps: ReadPayoutDeps,
  payout: Payout,
  { isUrgent = false }: { isUrgent?: boolean } = {},
): Promise<PayoutReading> {
  if (payout.sealed === null) return { kind: 'known', payout }
  const provider = payout.provider === null ? undefined : await deps.providers.find(payout.provider)
  if (!provider?.payouts || payout.provider === null) {
    return markUnanswered(deps, payout)
  }
  const { payouts } = provider
  const order = await orderOf(deps, payout, payout.sealed)
  const breaker = isUrgent ? ALWAYS_CLOSED : deps.circuitBreaker
  try {
    const state = await callProvider(breaker, payout.provider, deps.now, () => payouts.read(order))
    if (state === null) return await markMissed(deps, payout)
    return { kind: 'known', payout: await storeState(deps, payout, state) }
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    return markUnanswered(deps, payout)
  }
}

/**
 * Asks a provider to pay, once: that it was asked is stored before. What became of a lost answer is read at once, and by
 * the job. Throws what the stores throw.
 */
export async function startPayout(
  deps: ReadPayoutDeps,
  payout: Payout,
  payouts: ProviderPayouts,
): Promise<Payout> {
  const now = deps.now()
  const sent = await changePayout(deps, payout.id, { reason: 'sent' }, (seen) =>
    seen.version === payout.version && seen.status === 'PENDING' && seen.sentAt === null
      ? { sentAt: timestamp(now), dueAt: nextReading(timestamp(now), now) }
      : undefined,
  )
  if (sent.version !== payout.version + 1) return sent
  if (sent.sealed === null) return sent
  try {
    return await storeState(deps, sent, await payouts.start(await orderOf(deps, sent, sent.sealed)))
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    const reading = await readPayout(deps, sent)
    return reading.kind === 'known' ? reading.payout : sent
  }
}

async function orderOf(
  { dataKeys, now }: ReadPayoutDeps,
  payout: Payout,
  sealed: string,
): Promise<PayoutOrder> {
  const target = PayoutTarget.parse(JSON.parse(await unseal(dataKeys, payout.agentId, sealed)))
  const { id, amount, currency, country, reference, sentAt } = payout
  return { id, amount, currency, country, target, reference, sentAt: sentAt ?? timestamp(now()) }
}

/** Stores what a provider says of a payout. PAID → FAILED is a transfer that came back. */
export const storeState = (
  deps: ChangePayoutDeps,
  { id }: Pick<Payout, 'id'>,
  { state, reference, failure }: PayoutState,
): Promise<Payout> =>
  changePayout(deps, id, { reason: 'provider' }, (seen) => {
    if (seen.status !== 'PENDING' && seen.status !== 'PAID') return undefined
    const named = { reference: seen.reference ?? reference, misses: 0, needsResolution: false }
    if (state === 'failed') {
      const why = failure ?? { code: 'failed', message: 'The provider could not pay' }
      return { ...named, status: 'FAILED', failure: why, dueAt: null }
    }
    if (seen.status === 'PAID') return undefined
    if (state === 'paid') {
      return { ...named, status: 'PAID', paidAt: timestamp(deps.now()), dueAt: null }
    }
    return { ...named, dueAt: nextReading(seen.sentAt ?? seen.createdAt, deps.now()) }
  })

async function markMissed(deps: ReadPayoutDeps, { id }: Payout): Promise<PayoutReading> {
  await changePayout(deps, id, { reason: 'read' }, (seen) => {
    if (seen.status !== 'PENDING') return undefined
    const misses = seen.misses + 1
    const needsResolution = misses >= MISSES_ENOUGH
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

/** When a payout is read again: soon at first, then after as long as it has been under way. */
function nextReading(since: Timestamp, now: Date): Timestamp {
  const age = (now.getTime() - Date.parse(since)) / 1000
  const seconds = Math.min(Math.max(age, FIRST_READING_SECONDS), LONGEST_READING_SECONDS)
  return timestamp(secondsAfter(now, seconds))
}
