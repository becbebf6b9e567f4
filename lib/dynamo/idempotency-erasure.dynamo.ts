import type { IdempotencyErasure } from '#lib/http/idempotency/idempotency'
import { WriteConflict } from '#lib/kernel/write'
import { idempotencyPartition } from './dynamo.keys.ts'
import { StoredRecord } from './idempotency.dynamo.ts'
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
      const redacted = { ...answer, body: withoutPerson(answer.body, person) }
      const update = { pk: partition, sk: String(item['sk']) }
      // A record that is gone meanwhile must not come back.
      const when = { equals: { expiresAtSeconds } }
      await table.commit([{ update, set: { answer: redacted }, when }]).catch(ignoreConflict)
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
  IDEMPOTENCY: ['query', 'update', 'batch'],
})

/** Returns the body of a stored answer with null in place of every object that holds a person's `userId`. */
const withoutPerson = (body: string, userId: string): string =>
  JSON.stringify(JSON.parse(body, (_key, value) => (isPerson(value, userId) ? null : value)))

const isPerson = (value: unknown, userId: string): boolean =>
  typeof value === 'object' && value !== null && 'userId' in value && value.userId === userId
