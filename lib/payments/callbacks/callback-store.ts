import type { CallbackId, PaymentId } from '#lib/kernel/id'
import type { Page } from '#lib/kernel/page'
import type { Commit, Write } from '#lib/kernel/write'
import type { Callback } from './callback.ts'

/** The list of the callbacks that need someone. */
export const ATTENTION = 'ATTENTION'

export type CallbackOutcome = Pick<Callback, 'status' | 'paymentId' | 'detail' | 'processedAt'> &
  Partial<Pick<Callback, 'statement' | 'resolution' | 'rawBody' | 'headers' | 'isErased'>>

/** The result of an insertion. `known`: the event has a callback already, which is `first` where the write returned it. */
type Insertion = { kind: 'stored' } | { kind: 'known'; first: Callback | undefined }

/**
 * Where verified callbacks are kept, once each. Reads are consistent. A callback is stored before its payment is looked
 * up, and a payment is stored before its callbacks are looked up, so that the later one finds the other.
 */
export type CallbackStore = {
  get: (id: CallbackId) => Promise<Callback | undefined>
  /** The callback of the same event: its id has the same hash as this one, while the time in the two ids may differ. */
  ofSameEvent: (id: CallbackId) => Promise<Callback | undefined>
  /** Stores a callback, unless its event has a callback already, which then stays as it is. */
  insert: (callback: Callback) => Promise<Insertion>
  /** Marks a callback as waiting for a payment, under each of its references. Returns the marked callback. */
  wait: (callback: Callback) => Promise<Callback>
  /** The UNMATCHED callbacks that wait for a payment by any of these references. */
  waiting: (provider: string, references: readonly string[]) => Promise<Callback[]>
  /** The newest callbacks of a payment, at most 100 or `limit`. */
  ofPayment: (paymentId: PaymentId, limit?: number) => Promise<Callback[]>
  /** Lists the callbacks of a status or of a provider, or with `ATTENTION` those that need someone; newest first. */
  list: (
    statusOrProvider: string,
    page: { limit: number; after: CallbackId | undefined },
  ) => Promise<Page<Callback, CallbackId>>
  /** Puts a callback in the place of another with its id; `WriteConflict` if that has changed meanwhile. */
  replace: (callback: Callback, next: Callback) => Write[]
  /** Ends a callback, which waits no longer; `WriteConflict` if it has ended, or begun to wait, meanwhile. */
  close: (callback: Callback, outcome: CallbackOutcome) => Write[]
  /** Removes what may name the payer: raw body, headers and free texts. The hash of the body stays. */
  erase: (callback: Callback) => Write
  commit: Commit
}

export type CallbackReader = Pick<CallbackStore, 'get' | 'ofSameEvent' | 'waiting' | 'ofPayment' | 'list'>
