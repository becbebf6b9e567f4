import type { Clock } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import type { NewId } from '#lib/kernel/id'
import { retryConflicts } from '#lib/kernel/retry'
import type { ProviderEvent } from '#lib/providers/provider'
import type { AuthenticCallback } from './authenticate.ts'
import { type Callback, callbackOf, conflictOf, isBroken, meaningOf } from './callback.ts'
import type { CallbackStore } from './callback-store.ts'
import type { Storable } from './subject.ts'

/** The dependencies for storing a callback. */
export type StoreCallbackDeps = {
  callbacks: CallbackStore
  now: Clock
  newId: NewId
}

/** The result of the third stage of a callback: the record of its event, or that it contradicts this record. */
type Stored = { kind: 'stored'; callback: Callback } | { kind: 'conflict' }

/** An event that is stored: as it was sent, and as it was interpreted. */
type StorableEvent = { sent: ProviderEvent; interpreted: Storable }

/**
 * Stores an event once. The same event again returns the first record. A first record that was never understood is
 * replaced. An event of another meaning under the same id is stored as CONFLICT.
 */
export async function storeCallback(
  deps: StoreCallbackDeps,
  received: AuthenticCallback,
  { sent, interpreted }: StorableEvent,
): Promise<Stored> {
  const event = interpreted.kind === 'read' ? interpreted.event : sent
  // The reading is to be applied although the event has no statement: the callback is then UNMATCHED, not IGNORED.
  const isRead = interpreted.kind === 'read' && event.statement === null
  // Only a stated event is believed as it is: the provider's API confirms any other one before it is applied.
  const confirmed = interpreted.kind === 'stated'
  // A reading adds references to an event that keeps its id. Its meaning is that of the event as it was sent.
  const meaning = meaningOf(event.eventId === sent.eventId ? sent : event)
  const callback = { ...callbackOf(received, event, deps, { confirmed, isRead }), meaning }
  const insertion = await deps.callbacks.insert(callback)
  if (insertion.kind === 'stored') return { kind: 'stored', callback }
  return retryConflicts((isRetry) => storeAgain(deps, callback, event, isRetry ? undefined : insertion.first))
}

async function storeAgain(
  { callbacks, newId }: StoreCallbackDeps,
  callback: Callback,
  { errors }: ProviderEvent,
  seen: Callback | undefined,
): Promise<Stored> {
  const first = seen ?? (await callbacks.ofSameEvent(callback.id))
  if (!first) throw new DomainError('unavailable')
  // Broken messages of a type mean the same: the words of their faults tell them apart.
  const isOtherFault = errors !== undefined && first.detail !== callback.detail
  const isSame = first.meaning === callback.meaning && !isOtherFault
  // An administrator has resolved it: its repetition changes nothing.
  if (isSame && first.resolution) return { kind: 'stored', callback: first }
  // An IGNORED callback has `processedAt` from the start; one that is understood has none until it is applied.
  const isUnderstoodNow = isSame && first.status === 'IGNORED' && !callback.processedAt
  if (isBroken(first) || isUnderstoodNow) {
    const next = { ...callback, id: first.id }
    await callbacks.commit(callbacks.replace(first, next))
    return { kind: 'stored', callback: next }
  }
  // A broken message under the id of an understood one is not stored.
  if (errors) return { kind: 'conflict' }
  if (isSame) return { kind: 'stored', callback: first }
  await callbacks.insert(conflictOf(callback, first, newId))
  return { kind: 'conflict' }
}
