import type { ProviderEvent } from '#lib/providers/provider'
import type { Callback } from './callback.ts'

/** What an event of a callback is about: a payment, or a payout of ours. `Reading` is what its provider's API says of it. */
export type Subject<Reading> = {
  weigh: () => Promise<Weighed<Reading>>
  /** Applies the stored callback of the event. Safe to repeat, also in parallel. */
  apply: (stored: Callback, reading: Reading | null) => Promise<Applied>
}

/** The result of applying a callback: its subject has changed, or the callback waits for its subject. */
export type Applied = { kind: 'applied' | 'waiting' }

/** The meaning of an event before its provider is asked. `open`: the provider has to be read. */
export type Weighed<Reading> =
  | Unasked
  | {
      kind: 'open'
      /** Reads the provider's API. Throws `unavailable` when the provider does not answer. */
      read: () => Promise<Unasked | Read<Reading>>
      /** Makes the subject due, so that a job reads the provider. */
      markDue: () => Promise<void>
    }

/**
 * `stated`: the event needs no confirmation. `claimed`: it is stored, and waits until its provider's API confirms it.
 * `settled`: it changes nothing. `unconfirmed`: the API does not confirm an unsigned claim.
 */
type Unasked = { kind: 'stated' | 'claimed' } | { kind: 'settled' } | { kind: 'unconfirmed' }

/** The API was read: the event as the reading confirms it. */
type Read<Reading> = { kind: 'read'; event: ProviderEvent; reading: Reading }

/** The meaning of an event. `postponed`: strangers have caused too many questions, and a job reads the provider. */
export type Interpreted<Reading> = Unasked | Read<Reading> | { kind: 'postponed' }

/** The meaning of an event that is stored. */
export type Storable = Extract<Interpreted<unknown>, { kind: 'stated' | 'claimed' | 'read' }>
