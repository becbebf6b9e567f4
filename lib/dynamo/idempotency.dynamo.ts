import * as z from 'zod'
import { dependency } from '#lib/config'
import type { IdempotencyStore } from '#lib/http/idempotency'
import { idempotencyKey, idempotencyPartition } from './idempotency.keys.ts'
import { type Item, openTable } from './table.ts'

const Stored = z.object({
  fingerprint: z.string(),
  claimedAtMilliseconds: z.number(),
  reservedId: z.string().nullable(),
  answer: z
    .object({ statusCode: z.int(), headers: z.record(z.string(), z.string()), body: z.string().nullable() })
    .nullable(),
  expiresAtSeconds: z.int(),
})

/** Idempotency records in the one table, removed by its time to live. */
export const idempotencyStore = dependency(['TABLE_NAME'], ({ TABLE_NAME }): IdempotencyStore => {
  const table = openTable(TABLE_NAME)
  return {
    find: async (caller, key) => {
      const item = await table.get(idempotencyKey(caller, key))
      return item && Stored.parse(item)
    },
    put: (caller, key, record) => ({
      put: { ...idempotencyKey(caller, key), kind: 'idempotency', ...record },
    }),
    remove: (caller, key) => ({ remove: idempotencyKey(caller, key) }),
    forget: async (caller) => {
      for (let after: Item | undefined; ; ) {
        const { items, last } = await table.query({
          partition: idempotencyPartition(caller),
          consistent: true,
          ...(after && { after }),
        })
        await table.writeEach(items.map(({ pk, sk }) => ({ remove: { pk: String(pk), sk: String(sk) } })))
        if (last === undefined) return
        after = last
      }
    },
    commit: table.commit,
  }
})
