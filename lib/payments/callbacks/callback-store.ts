import type { CallbackId, PaymentId } from '#lib/kernel/id'
import type { Page } from '#lib/kernel/page'
import type { Commit, Write } from '#lib/kernel/write'
import type { Callback } from './callback.ts'

export const ATTENTION = 'ATTENTION'
export const NEEDS_SOMEONE: readonly Callback['status'][] = ['UNMATCHED', 'MISMATCHED', 'CONFLICT', 'FAILED']

/** Whether a callback needs someone. An UNMATCHED callback that does not wait yet is being processed. */
export const needsSomeone = ({ status, waits }: Pick<Callback, 'status' | 'waits'>): boolean =>
  NEEDS_SOMEONE.includes(status) && (status !== 'UNMATCHED' || waits)

export type CallbackOutcome = Pick<Callback, 'status' | 'paymentId' | 'detail' | 'processedAt'> &
  Partial<Pick<Callback, 'statement' | 'resolution' | 'rawBody' | 'headers' | 'isErased'>>

/**
 * Where verified callbacks are kept, once each. Reads are consistent: a callback writes here and then
 * looks for its payment, a new payment is written and then looks here, so whichever is second sees the other.
 */
export type CallbackStore = {
  /** The callback at an id's place, whenever its event came first. */
  get: (id: CallbackId) => Promise<Callback | undefined>
  /** Keeps a callback; false when one is at its place already, which then stays as it is. */
  insert: (callback: Callback) => Promise<boolean>
  /** Leaves word under each of its references that a callback waits for a payment. */
  wait: (callback: Callback) => Promise<Callback>
  /** The UNMATCHED callbacks that wait for a payment by any of these references. */
  waiting: (provider: string, references: readonly string[]) => Promise<Callback[]>
  /** The newest callbacks of a payment, at most 100 or `limit`. */
  ofPayment: (paymentId: PaymentId, limit?: number) => Promise<Callback[]>
  /** Lists callbacks by status, by provider, or (`ATTENTION`) by the need of a resolution; newest first. */
  list: (
    list: string,
    page: { limit: number; after: CallbackId | undefined },
  ) => Promise<Page<Callback, CallbackId>>
  /** Puts a callback in the place of another with its id; `WriteConflict` if that has changed meanwhile. */
  replace: (callback: Callback, next: Callback) => Write[]
  /** Ends a callback, which waits no longer; `WriteConflict` if its status has changed meanwhile. */
  close: (callback: Callback, outcome: CallbackOutcome) => Write[]
  /** Removes what may name the payer: raw body, headers and words. The hash of the body stays. */
  erase: (callback: Callback) => Write
  commit: Commit
}
