import { timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import { type Write, WriteConflict } from '#lib/kernel/write'
import { hasGoneOut, type Payout } from '#lib/payouts/payout'
import {
  contradicts,
  isKnown,
  markPayoutDue,
  questionOf,
  type ReadPayoutDeps,
  storeClaim,
  storeReading,
} from '#lib/payouts/read-payout'
import {
  type CircuitBreaker,
  callProvider,
  callWhileClosed,
  isCircuitOpen,
  QUESTIONS_A_MINUTE,
} from '#lib/providers/circuit-breaker'
import type { PayoutClaim } from '#lib/providers/payout-port'
import type { ProviderEvent } from '#lib/providers/provider'
import { inTime } from '#lib/providers/read-payment'
import type { AuthenticCallback } from './authenticate.ts'
import type { Callback } from './callback.ts'
import type { CallbackOutcome, CallbackStore } from './callback-store.ts'
import { type StoreCallbackDeps, storeCallback } from './store.ts'

export type ReceivePayoutDeps = ReadPayoutDeps &
  StoreCallbackDeps & {
    callbacks: Pick<CallbackStore, 'get' | 'close' | 'commit'>
    circuitBreaker: Pick<CircuitBreaker, 'of' | 'count'>
    /** Counts an unsigned callback that its provider's API did not confirm. */
    count: (what: 'UnconfirmedCallback') => void
  }

/**
 * Applies a callback's claim to the payout that it names by our id. A claim that no signature covers, or that contradicts
 * the payout's end, only causes the payout to be read from its provider. A claim about a transfer that is not ours is
 * IGNORED. Throws `unavailable` when the provider has to be read and does not answer.
 */
export async function receivePayoutClaim(
  deps: ReceivePayoutDeps,
  callback: AuthenticCallback,
  event: ProviderEvent,
  claim: PayoutClaim,
): Promise<void> {
  const payout = await deps.payouts.get(claim.id)
  // A provider account may speak of its own payouts only.
  const own = payout?.provider === callback.name && hasGoneOut(payout) ? payout : undefined
  await (callback.evidence === 'unsigned'
    ? receiveUnsigned(deps, callback, event, claim, own)
    : receiveProven(deps, callback, event, claim, own))
}

/** Receives a claim whose sender is proven. Only with a signature over the whole callback is its state believed. */
async function receiveProven(
  deps: ReceivePayoutDeps,
  callback: AuthenticCallback,
  event: ProviderEvent,
  { state, isAnswer = false }: PayoutClaim,
  payout: Payout | undefined,
): Promise<void> {
  const stored = await storeCallback(deps, callback, { sent: event, interpreted: { kind: 'stated', event } })
  if (stored.kind === 'conflict' || stored.callback.status !== 'UNMATCHED') return
  const record = stored.callback
  if (!payout) return endCallback(deps, record, ignoredBecause('There is no such payout'))
  // With the evidence `sender` the contents are not covered, so the payout is read below.
  const isBelieved = callback.evidence === 'signed' && state !== null
  // An answer to our own question holds the present state, as a reading does.
  if (isBelieved && isAnswer)
    return endWith(deps, record, (also) => storeReading(deps, payout, state, { also }))
  if (isBelieved && !contradicts(payout, state)) {
    return endWith(deps, record, (also) => storeClaim(deps, payout, state, { also }))
  }
  const { payouts } = callback.provider
  if (!payouts) return endCallback(deps, record, ignoredBecause('The account no longer pays out'))
  const read = () => inTime(() => payouts.read(questionOf(payout, deps.now())))
  const reading = await callProvider(deps.circuitBreaker, callback.name, deps.now, read).catch(
    (error: unknown) => failDue(deps, payout, error),
  )
  if (reading === null) {
    await markPayoutDue(deps, payout)
    return endCallback(deps, record, ignoredBecause("The provider's API has not confirmed it"))
  }
  return endWith(deps, record, (also) => storeReading(deps, payout, reading, { also }))
}

async function receiveUnsigned(
  deps: ReceivePayoutDeps,
  callback: AuthenticCallback,
  event: ProviderEvent,
  { id, state }: PayoutClaim,
  payout: Payout | undefined,
): Promise<void> {
  const { name, provider } = callback
  if (!payout || !provider.payouts) return deps.count('UnconfirmedCallback')
  // Anyone can send an unsigned claim: one that changes nothing must not cause a call to the provider.
  if (state && isKnown(payout, state)) return
  const { circuitBreaker, now } = deps
  const circuit = await circuitBreaker.of(name)
  const mayAsk =
    !isCircuitOpen(circuit, now()) &&
    (await circuitBreaker.count(name, 'questions', now())) <= QUESTIONS_A_MINUTE
  if (!mayAsk) return markPayoutDue(deps, payout)
  const { payouts } = provider
  const read = () => inTime(() => payouts.read(questionOf(payout, now())))
  const reading = await callWhileClosed(circuit, circuitBreaker, name, now, read).catch((error: unknown) =>
    failDue(deps, payout, error),
  )
  if (reading === null) return deps.count('UnconfirmedCallback')
  // The provider answers this question with a callback of its own.
  if (reading.state === 'asked') return
  // The same callback may come again and find the payout in another state, so the id ends with the state.
  const eventId = `${event.eventId}:${reading.state}`
  const confirmed = { ...event, eventId, payout: { id, state: reading } }
  const interpreted = { kind: 'stated', event: confirmed } as const
  const stored = await storeCallback(deps, callback, { sent: confirmed, interpreted })
  if (stored.kind === 'conflict' || stored.callback.status !== 'UNMATCHED') return
  await endWith(deps, stored.callback, (also) => storeReading(deps, payout, reading, { also }))
}

/** Makes a payout due that could not be read: its provider gives up calling back some day, and the job then reads it. */
async function failDue(deps: ReceivePayoutDeps, payout: Payout, error: unknown): Promise<never> {
  await markPayoutDue(deps, payout)
  throw error
}

type Ending = Pick<CallbackOutcome, 'status' | 'detail'>

const PROCESSED: Ending = { status: 'PROCESSED', detail: null }
const ignoredBecause = (detail: string): Ending => ({ status: 'IGNORED', detail })

/** Stores what a callback says and closes it, in one transaction where anything changes. */
async function endWith(
  deps: ReceivePayoutDeps,
  record: Callback,
  store: (also: (next: Payout) => Write[]) => Promise<Payout>,
): Promise<void> {
  let attempted: Payout | undefined
  const stored = await store((next) => {
    attempted = next
    return closing(deps, record, PROCESSED)
  })
  // Where the payout does not change, `store` commits nothing, and the callback is still open.
  if (stored !== attempted) await endCallback(deps, record, PROCESSED)
}

/** Closes a callback, unless another function has closed it meanwhile. */
async function endCallback(deps: ReceivePayoutDeps, record: Callback, ending: Ending): Promise<void> {
  try {
    await deps.callbacks.commit(closing(deps, record, ending))
  } catch (error) {
    if (!(error instanceof WriteConflict)) throw error
    if ((await deps.callbacks.get(record.id))?.status === 'UNMATCHED') throw new DomainError('unavailable')
  }
}

const closing = ({ callbacks, now }: ReceivePayoutDeps, record: Callback, ending: Ending): Write[] =>
  callbacks.close(record, { ...ending, paymentId: null, processedAt: timestamp(now()) })
