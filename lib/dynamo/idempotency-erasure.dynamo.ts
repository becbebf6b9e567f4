import type { IdempotencyErasure } from '#lib/http/idempotency/idempotency'
import { idempotencyPartition } from './dynamo.keys.ts'
import { StoredRecord } from './idempotency.dynamo.ts'
import { onTable } from './table.ts'

/**
 * Erases people from idempotency records. Its methods are not part of the store, which every endpoint with such records
 * bundles.
 */
export const idempotencyErasure = onTable(
  (table): IdempotencyErasure => ({
    forget: async (caller) => {
      const partition = idempotencyPartition(caller)
      const items = await table.queryAll({ partition, consistent: true })
      await table.writeEach(items.map(({ sk }) => ({ remove: { pk: partition, sk: String(sk) } })))
    },
    redact: async (caller, person) => {
      const partition = idempotencyPartition(caller)
      const items = await table.queryAll({ partition, consistent: true })
      for (const item of items) {
        const { answer } = StoredRecord.parse(item)
        if (!answer?.body?.includes(person)) continue
        const redacted = { ...answer, body: withoutPerson(answer.body, person) }
        await table.commit([{ update: { pk: partition, sk: String(item['sk']) }, set: { answer: redacted } }])
      }
    },
  }),
  { IDEMPOTENCY: ['query', 'update', 'batch'] },
)

/** Returns the body of a stored answer with null in place of every object that holds a person's `userId`. */
const withoutPerson = (body: string, userId: string): string =>
  JSON.stringify(JSON.parse(body, (_key, value) => (isPerson(value, userId) ? null : value)))

const isPerson = (value: unknown, userId: string): boolean =>
  typeof value === 'object' && value !== null && 'userId' in value && value.userId === userId
