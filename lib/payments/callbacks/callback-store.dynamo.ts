import { gunzipSync, gzipSync } from 'node:zlib'
import * as z from 'zod'
import type { Item } from '#lib/dynamo/item'
import { queryShards, recordsInOrder } from '#lib/dynamo/lists'
import { onTable, type Table } from '#lib/dynamo/table'
import { CallbackId } from '#lib/kernel/id'
import type { Write } from '#lib/kernel/write'
import {
  callbackKey,
  callbackListKey,
  callbackListPartition,
  paymentCallbacksEntry,
  paymentCallbacksQuery,
  referencedIndex,
  waitingKey,
  waitingQuery,
} from '#lib/payments/payment.keys'
import { Callback, needsSomeone, withoutPayer } from './callback.ts'
import { ATTENTION, type CallbackReader, type CallbackStore } from './callback-store.ts'

/** A raw body is stored compressed, since an item holds 400 KB at most. An erased one is stored as no bytes. */
const StoredCallback = Callback.extend({
  rawBody: z
    .instanceof(Uint8Array)
    .transform((bytes) => (bytes.length === 0 ? bytes : new Uint8Array(gunzipSync(bytes)))),
})

const compressed = (bytes: Uint8Array): Uint8Array => new Uint8Array(gzipSync(bytes))

const Waiting = z.object({ callbackId: CallbackId })

/** The event was received before. */
class AlreadyThere extends Error {
  readonly stored: Item | undefined

  constructor(stored: Item | undefined) {
    super('The event was received before')
    this.stored = stored
  }
}

/** The most callbacks that are read for one reference or payment, far more than a payment has. */
const CALLBACKS_MAX = 100

/** Opens the callbacks in the one table. */
export const openCallbacks = (table: Table): CallbackStore => {
  const waitingBy = async (provider: string, reference: string) => {
    const items = await table.queryAll({
      ...waitingQuery(provider, reference),
      limit: CALLBACKS_MAX,
      consistent: true,
    })
    return items.map((item) => callbackKey(Waiting.parse(item).callbackId))
  }
  // An id is a time and a hash of the event. The key holds the hash alone, so the callback found may have another time.
  const ofSameEvent = async (id: CallbackId) => {
    const item = await table.get(callbackKey(id))
    return item && StoredCallback.parse(item)
  }
  return {
    get: async (id) => {
      const callback = await ofSameEvent(id)
      return callback?.id === id ? callback : undefined
    },
    ofSameEvent,
    insert: async (callback) => {
      const put = { ...callbackKey(callback.id), ...byPayment(callback), kind: 'callback' }
      try {
        // A callback with entries is put by a transaction, which does not return the stored item.
        const first: Write = table.put(
          { ...put, ...callback, rawBody: compressed(callback.rawBody) },
          { when: 'absent', otherwise: (stored) => new AlreadyThere(stored) },
        )
        await table.commit([first, ...entriesOf(table, callback)])
        return { kind: 'stored' }
      } catch (error) {
        if (!(error instanceof AlreadyThere)) throw error
        return { kind: 'known', first: error.stored && StoredCallback.parse(error.stored) }
      }
    },
    wait: async (callback) => {
      const { id, provider, references, detail, expiresAtSeconds } = callback
      const waitingEntries = references.map((reference): Write => {
        const entry = { kind: 'waiting', callbackId: id, expiresAtSeconds }
        return table.put({
          ...waitingKey(provider, reference, id),
          ...referencedIndex(reference, id),
          ...entry,
        })
      })
      // A function that read the callback before this write may close it and leave these entries: `waiting` skips those of
      // closed callbacks.
      const waiting = { ...callback, waits: true }
      await table.commit([
        table.update(callbackKey(id), {
          set: { waits: true, detail },
          when: { equals: { status: 'UNMATCHED' } },
        }),
        ...waitingEntries,
        ...entriesOf(table, waiting),
      ])
      return waiting
    },
    waiting: async (provider, references) => {
      const keys = await Promise.all(references.map((reference) => waitingBy(provider, reference)))
      const items = await table.getMany(keys.flat())
      return items.map((item) => StoredCallback.parse(item)).filter(({ status }) => status === 'UNMATCHED')
    },
    ofPayment: async (paymentId, limit = CALLBACKS_MAX) => {
      const query = { ...paymentCallbacksQuery(paymentId), descending: true, limit }
      const items = await table.queryAll(query)
      return items.map((item) => StoredCallback.parse(item))
    },
    list: async (list, { limit, after }) => {
      const partition = callbackListPartition(list)
      const { items, next } = await queryShards(table, partition, { limit, after, descending: true })
      const ids = items.map(({ sk }) => CallbackId.parse(sk))
      return {
        items: await recordsInOrder(table, ids, callbackKey, StoredCallback),
        next: next === undefined ? undefined : CallbackId.parse(next),
      }
    },
    replace: (callback, next) => {
      const formerLists = listsOf(callback).filter((list) => !listsOf(next).includes(list))
      return [
        table.put(
          {
            ...callbackKey(next.id),
            ...byPayment(next),
            kind: 'callback',
            ...next,
            rawBody: compressed(next.rawBody),
          },
          { when: { equals: { status: callback.status, rawBodySha256: callback.rawBodySha256 } } },
        ),
        ...formerLists.map((list) => table.remove(callbackListKey(list, callback.id))),
        ...entriesOf(table, next),
      ]
    },
    close: (callback, outcome) => {
      const { id, provider, references, waits } = callback
      const closed = { ...callback, ...outcome, waits: false }
      const formerLists = listsOf(callback).filter((list) => !listsOf(closed).includes(list))
      return [
        table.update(callbackKey(id), {
          set: { ...outcome, waits: false, ...byPayment(closed) },
          when: { equals: { status: callback.status, waits } },
        }),
        ...(waits ? references : []).map((reference) => table.remove(waitingKey(provider, reference, id))),
        ...formerLists.map((list) => table.remove(callbackListKey(list, id))),
        ...entriesOf(table, closed),
      ]
    },
    erase: (callback) =>
      table.update(callbackKey(callback.id), { set: withoutPayer(callback), when: 'present' }),
    commit: table.commit,
  }
}

const byPayment = ({ id, paymentId }: Callback) =>
  paymentId === null ? {} : paymentCallbacksEntry(paymentId, id)

/** Returns the lists that a callback stands in: none while it is being processed. */
const listsOf = (callback: Callback): string[] => {
  const { status, provider, waits } = callback
  if (status === 'UNMATCHED' && !waits) return []
  return [status, provider, ...(needsSomeone(callback) ? [ATTENTION] : [])]
}

const entriesOf = (table: Table, callback: Callback): Write[] =>
  listsOf(callback).map((list) =>
    table.put({
      ...callbackListKey(list, callback.id),
      kind: 'callback-entry',
      expiresAtSeconds: callback.expiresAtSeconds,
    }),
  )

/** The callbacks, as a dependency of functions. */
export const callbacks = onTable(openCallbacks, {
  reads: ['CALLBACK', 'CALLBACKS', 'REFERENCE', 'gsi1:PAYMENT'],
  writes: ['CALLBACK', 'CALLBACKS', 'REFERENCE'],
})

export const callbackReader = onTable((table): CallbackReader => openCallbacks(table), {
  reads: ['CALLBACK', 'CALLBACKS', 'REFERENCE', 'gsi1:PAYMENT'],
})
