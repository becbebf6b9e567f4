import type { IdempotencyErasure } from '#lib/http/idempotency/idempotency'
import { withoutPerson } from '#lib/http/idempotency/without-person'
import { idempotencyPartition } from './dynamo.keys.ts'
import { StoredRecord } from './idempotency.dynamo.ts'
import { onTable } from './table.ts'

/** Erases people from idempotency records. Apart from their store, which every endpoint with such records bundles. */
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
