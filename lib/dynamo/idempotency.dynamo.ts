import { gunzipSync, gzipSync } from 'node:zlib'
import * as z from 'zod'
import { dataKeys } from '#lib/config/keys'
import { claimedIn } from '#lib/http/idempotency/claimed'
import type { IdempotencyStore } from '#lib/http/idempotency/idempotency'
import { demandedIn, recordedIn } from '#lib/http/idempotency/recorded'
import { idempotencyKey } from './dynamo.keys.ts'
import { onTable, type Table } from './table.ts'

/**
 * The length from which a body is stored compressed. The links to forty media repeat most of their text and would exceed the
 * size of an item.
 */
const COMPRESSED_FROM = 16 * 1024

const decompress = (bytes: Uint8Array): string => gunzipSync(bytes).toString('utf8')

/** Returns an answer as it is stored. */
export const storedAnswer = <Answer extends { body: string | null }>(answer: Answer) => ({
  ...answer,
  body: answer.body !== null && answer.body.length >= COMPRESSED_FROM ? gzipSync(answer.body) : answer.body,
})

/** A record as it is stored. */
export const StoredRecord = z.object({
  fingerprint: z.string(),
  claimedAtMilliseconds: z.number(),
  reservedId: z.string().nullable(),
  answer: z
    .object({
      statusCode: z.int(),
      headers: z.record(z.string(), z.string()),
      body: z.union([z.string(), z.instanceof(Uint8Array).transform(decompress)]).nullable(),
    })
    .nullable(),
  expiresAtSeconds: z.int(),
})

/** Opens the idempotency records in the one table, whose time to live removes them. The callers add conditions to the writes. */
export const openIdempotency = (table: Table): IdempotencyStore => ({
  find: async (caller, key) => {
    const item = await table.get(idempotencyKey(caller, key))
    return item && StoredRecord.parse(item)
  },
  put: (caller, key, record) =>
    table.put({
      ...idempotencyKey(caller, key),
      kind: 'idempotency',
      ...record,
      answer: record.answer && storedAnswer(record.answer),
    }),
  remove: (caller, key) => table.remove(idempotencyKey(caller, key)),
  commit: table.commit,
})

/** The idempotency records, as a dependency of functions. */
export const idempotencyStore = onTable(openIdempotency, { reads: ['IDEMPOTENCY'], writes: ['IDEMPOTENCY'] })

/** Records the key with the change itself; see `recordedIn`. */
export const recorded = recordedIn(idempotencyStore)

/** Demands a key and records it with the change itself; see `demandedIn`. */
export const demanded = demandedIn(idempotencyStore)

/** Records the key as `recorded` does, for an answer that holds a secret: it is stored encrypted. */
export const recordedSealed = recordedIn(idempotencyStore, dataKeys)

/** Claims the key before a provider is called; see `claimedIn`. */
export const claimed = claimedIn(idempotencyStore)
