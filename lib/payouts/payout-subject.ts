import { timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import { type Write, WriteConflict } from '#lib/kernel/write'
import type { AuthenticCallback } from '#lib/payments/callbacks/authenticate'
import type { Callback } from '#lib/payments/callbacks/callback'
import type { CallbackOutcome, CallbackStore } from '#lib/payments/callbacks/callback-store'
import type { FindPayout, Interpreted, Question } from '#lib/payments/callbacks/subject'
import { callProvider } from '#lib/providers/circuit-breaker'
import { inTime } from '#lib/providers/in-time'
import type { PayoutClaim, PayoutState } from '#lib/providers/payout-port'
import type { ProviderEvent } from '#lib/providers/provider'
import { hasGoneOut, type Payout } from './payout.ts'
import {
  contradicts,
  isKnown,
  markPayoutDue,
  questionOf,
  type ReadPayoutDeps,
  storeClaim,
  storeReading,
} from './read-payout.ts'

type FindPayoutDeps = ReadPayoutDeps & { callbacks: CallbackStore }

/**
 * Finds the payout that a callback names by our id. A claim that no signature covers, or that contradicts the payout's
 * end, only causes the payout to be read from its provider. A claim about a transfer that is not ours is IGNORED.
 */
export const findPayout =
  (deps: FindPayoutDeps): FindPayout =>
  async (callback, event, claim) => {
    const found = await deps.payouts.get(claim.id)
    // A provider account may speak of its own payouts only.
    const payout = found?.provider === callback.name && hasGoneOut(found) ? found : undefined
    return {
      weigh: async () => weigh(deps, callback, event, claim, payout),
      apply: (stored) => apply(deps, callback, stored, claim, payout),
    }
  }

/** Weighs a claim about a payout. Only with a signature over the whole callback is its state believed. */
function weigh(
  deps: FindPayoutDeps,
  { evidence, provider: { payouts } }: AuthenticCallback,
  event: ProviderEvent,
  { id, state }: PayoutClaim,
  payout: Payout | undefined,
): Interpreted | Question {
  // A claim whose sender is proven is stored before the provider is asked.
  if (evidence !== 'unsigned') return { kind: evidence === 'signed' && state ? 'stated' : 'claimed' }
  if (!payout || !payouts) return { kind: 'unconfirmed' }
  // Anyone can send an unsigned claim: one that changes nothing must not cause a call to the provider.
  if (state && isKnown(payout, state)) return { kind: 'settled' }
  return {
    kind: 'open',
    read: async () => {
      const reading = await inTime(() => payouts.read(questionOf(payout, deps.now())))
      if (reading === null) return { kind: 'unconfirmed' }
      // The provider answers this question with a callback of its own.
      if (reading.state === 'asked') return { kind: 'settled' }
      // The same callback may come again and find the payout in another state, so the id ends with the state.
      const eventId = `${event.eventId}:${reading.state}`
      const confirmed = { ...event, eventId, payout: { id, state: reading } }
      return { kind: 'read', event: confirmed, apply: (stored) => endWith(deps, stored, payout, reading) }
    },
    markDue: () => markPayoutDue(deps, payout),
  }
}

/** Applies a stored claim to its payout. Throws `unavailable` when the provider has to be read and does not answer. */
async function apply(
  deps: FindPayoutDeps,
  { evidence, name, provider: { payouts } }: AuthenticCallback,
  record: Callback,
  { state, isAnswer = false }: PayoutClaim,
  payout: Payout | undefined,
): Promise<void> {
  if (record.status !== 'UNMATCHED') return
  if (!payout) return endCallback(deps, record, ignoredBecause('There is no such payout'))
  const isBelieved = evidence === 'signed' && state !== null
  // An answer to our own question holds the present state, as a reading does.
  if (isBelieved && isAnswer) return endWith(deps, record, payout, state)
  if (isBelieved && !contradicts(payout, state)) return endWith(deps, record, payout, state, storeClaim)
  if (!payouts) return endCallback(deps, record, ignoredBecause('The account no longer pays out'))
  const read = () => inTime(() => payouts.read(questionOf(payout, deps.now())))
  const reading = await callProvider(deps.circuitBreaker, name, deps.now, read).catch(
    async (error: unknown) => {
      // The provider gives up calling back some day, and the job then reads the payout.
      await markPayoutDue(deps, payout)
      throw error
    },
  )
  if (reading === null) {
    await markPayoutDue(deps, payout)
    return endCallback(deps, record, ignoredBecause("The provider's API has not confirmed it"))
  }
  return endWith(deps, record, payout, reading)
}

type Ending = Pick<CallbackOutcome, 'status' | 'detail'>

const PROCESSED: Ending = { status: 'PROCESSED', detail: null }
const ignoredBecause = (detail: string): Ending => ({ status: 'IGNORED', detail })

/** Stores how a payout stands and closes the callback that says so, in one transaction where anything changes. */
async function endWith(
  deps: FindPayoutDeps,
  record: Callback,
  payout: Payout,
  state: PayoutState,
  store = storeReading,
): Promise<void> {
  if (record.status !== 'UNMATCHED') return
  let attempted: Payout | undefined
  const also = (next: Payout) => {
    attempted = next
    return closing(deps, record, PROCESSED)
  }
  const stored = await store(deps, payout, state, { also })
  // Where the payout does not change, `store` commits nothing, and the callback is still open.
  if (stored !== attempted) await endCallback(deps, record, PROCESSED)
}

/** Closes a callback, unless another function has closed it meanwhile. */
async function endCallback(deps: FindPayoutDeps, record: Callback, ending: Ending): Promise<void> {
  try {
    await deps.callbacks.commit(closing(deps, record, ending))
  } catch (error) {
    if (!(error instanceof WriteConflict)) throw error
    if ((await deps.callbacks.get(record.id))?.status === 'UNMATCHED') throw new DomainError('unavailable')
  }
}

const closing = ({ callbacks, now }: FindPayoutDeps, record: Callback, ending: Ending): Write[] =>
  callbacks.close(record, { ...ending, paymentId: null, processedAt: timestamp(now()) })
