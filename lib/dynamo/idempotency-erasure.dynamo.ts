import type { IdempotencyErasure } from '#lib/http/idempotency/idempotency'
import { type Write, WriteConflict } from '#lib/kernel/write'
import { idempotencyPartition } from './dynamo.keys.ts'
import { StoredRecord, storedAnswer } from './idempotency.dynamo.ts'
import { onTable, type Table } from './table.ts'

/** Opens the erasure of people from the idempotency records in the one table. */
export const openIdempotencyErasure = (table: Table): IdempotencyErasure => ({
  forget: async (caller) => {
    const partition = idempotencyPartition(caller)
    const items = await table.queryAll({ partition, consistent: true })
    await table.writeEach(items.map(({ sk }) => ({ remove: { pk: partition, sk: String(sk) } })))
  },
  redact: async (caller, person) => {
    const partition = idempotencyPartition(caller)
    const items = await table.queryAll({ partition, consistent: true })
    for (const item of items) {
      const { answer, expiresAtSeconds } = StoredRecord.parse(item)
      if (!answer?.body?.includes(person)) continue
      const key = { pk: partition, sk: String(item['sk']) }
      const body = withoutPerson(answer.body, person)
      // A record that is gone meanwhile must not come back.
      const when = { equals: { expiresAtSeconds } }
      // The answer about the person alone goes: a repetition then finds that the person is gone.
      const write: Write =
        body === 'null'
          ? table.remove(key, { when })
          : table.update(key, { set: { answer: storedAnswer({ ...answer, body }) }, when })
      await table.commit([write]).catch(ignoreConflict)
    }
  },
})

function ignoreConflict(error: unknown): void {
  if (!(error instanceof WriteConflict)) throw error
}

/**
 * Erases people from idempotency records. Its methods are not part of the store, which every endpoint with such records
 * bundles.
 */
export const idempotencyErasure = onTable(openIdempotencyErasure, {
  reads: ['IDEMPOTENCY'],
  writes: ['IDEMPOTENCY'],
})

/** Returns the body of a stored answer with null in place of every object that is about a person. */
const withoutPerson = (body: string, userId: string): string =>
  JSON.stringify(JSON.parse(body, (_key, value) => (isPerson(value, userId) ? null : value)))

const isPerson = (value: unknown, userId: string): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (('userId' in value && value.userId === userId) || ('id' in value && value.id === userId))
