import { timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import { type Write, WriteConflict } from '#lib/kernel/write'
import type { AuthenticCallback } from '#lib/payments/callbacks/authenticate'
import type { Callback } from '#lib/payments/callbacks/callback'
import type { CallbackOutcome, CallbackStore } from '#lib/payments/callbacks/callback-store'
import type { PayoutSubject } from '#lib/payments/callbacks/receive-callback'
import type { Weighed } from '#lib/payments/callbacks/subject'
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

type PayoutSubjectDeps = ReadPayoutDeps & { callbacks: Pick<CallbackStore, 'get' | 'close' | 'commit'> }

/**
 * Finds the payout that a callback names by our id. A claim that no signature covers, or that contradicts the payout's
 * end, only causes the payout to be read from its provider. A claim about a transfer that is not ours is IGNORED.
 */
export const payoutSubject =
  (deps: PayoutSubjectDeps): PayoutSubject =>
  async (callback, event, claim) => {
    const found = await deps.payouts.get(claim.id)
    // A provider account may speak of its own payouts only.
    const payout = found?.provider === callback.name && hasGoneOut(found) ? found : undefined
    return {
      weigh: async () => weigh(deps, callback, { event, claim }, payout),
      apply: async (stored, reading) => {
        if (stored.status === 'UNMATCHED') await apply(deps, callback, stored, claim, payout, reading)
        return { kind: 'applied' }
      },
    }
  }

/** Weighs a claim about a payout. Only with a signature over the whole callback is its state believed. */
function weigh(
  deps: PayoutSubjectDeps,
  { evidence, provider: { payouts } }: AuthenticCallback,
  { event, claim: { id, state } }: { event: ProviderEvent; claim: PayoutClaim },
  payout: Payout | undefined,
): Weighed<PayoutState> {
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
      return { kind: 'read', event: { ...event, eventId, payout: { id, state: reading } }, reading }
    },
    markDue: () => markPayoutDue(deps, payout),
  }
}

/** Applies a stored claim to its payout. Throws `unavailable` when the provider has to be read and does not answer. */
async function apply(
  deps: PayoutSubjectDeps,
  { evidence, name, provider: { payouts } }: AuthenticCallback,
  record: Callback,
  { state, isAnswer = false }: PayoutClaim,
  payout: Payout | undefined,
  known: PayoutState | null,
): Promise<void> {
  if (!payout) return endCallback(deps, record, ignoredBecause('There is no such payout'))
  const isBelieved = evidence === 'signed' && state !== null
  // An answer to our own question holds the present state, as a reading does.
  const present = isBelieved && isAnswer ? state : known
  if (present) return endWith(deps, record, (also) => storeReading(deps, payout, present, { also }))
  if (isBelieved && !contradicts(payout, state)) {
    return endWith(deps, record, (also) => storeClaim(deps, payout, state, { also }))
  }
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
  return endWith(deps, record, (also) => storeReading(deps, payout, reading, { also }))
}

type Ending = Pick<CallbackOutcome, 'status' | 'detail'>

const PROCESSED: Ending = { status: 'PROCESSED', detail: null }
const ignoredBecause = (detail: string): Ending => ({ status: 'IGNORED', detail })

/** Stores what a callback says and closes it, in one transaction where anything changes. */
async function endWith(
  deps: PayoutSubjectDeps,
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
async function endCallback(deps: PayoutSubjectDeps, record: Callback, ending: Ending): Promise<void> {
  try {
    await deps.callbacks.commit(closing(deps, record, ending))
  } catch (error) {
    if (!(error instanceof WriteConflict)) throw error
    if ((await deps.callbacks.get(record.id))?.status === 'UNMATCHED') throw new DomainError('unavailable')
  }
}

const closing = ({ callbacks, now }: PayoutSubjectDeps, record: Callback, ending: Ending): Write[] =>
  callbacks.close(record, { ...ending, paymentId: null, processedAt: timestamp(now()) })
