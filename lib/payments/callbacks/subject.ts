import type { PayoutClaim } from '#lib/providers/payout-port'
import type { ProviderEvent } from '#lib/providers/provider'
import type { AuthenticCallback } from './authenticate.ts'
import type { Callback } from './callback.ts'

/** What an event of a callback is about: a payment, or a payout of ours. */
export type Subject = {
  /** Returns the meaning of the event, or the question that decides it. */
  weigh: () => Promise<Interpreted | Question>
  apply: Apply
}

/** Finds the payout that an event claims something about. The payouts implement this port. */
export type FindPayout = (
  callback: AuthenticCallback,
  event: ProviderEvent,
  claim: PayoutClaim,
) => Promise<Subject>

/** Applies the stored callback of the event. Safe to repeat, also in parallel. */
type Apply = (stored: Callback) => Promise<unknown>

/** A question to a provider's API. `markDue`: a job asks it instead. Reading throws `unavailable` without an answer. */
export type Question = { kind: 'open'; read: () => Promise<Interpreted>; markDue: () => Promise<unknown> }

/**
 * The meaning of an event. `stated`: the event needs no confirmation. `claimed`: it waits until its provider's API confirms
 * it. `read`: the API was read, and the event is what it confirms. `settled`: the claim changes nothing. `postponed`: a job
 * reads the provider. `unconfirmed`: the API does not confirm an unsigned claim.
 */
export type Interpreted = Storable | { kind: 'settled' } | { kind: 'postponed' } | { kind: 'unconfirmed' }

/** The meaning of an event that is stored. */
export type Storable = { kind: 'stated' | 'claimed' } | { kind: 'read'; event: ProviderEvent; apply: Apply }
