import * as z from 'zod'
import { onTable, type Table } from '#lib/dynamo/table'
import { auditKey } from '#lib/payments/payment.keys'
import type { AuditPlace } from './audit-place.ts'

const Place = z.object({ place: z.string().nullable() })

/** The place in the one table. */
export const openAuditPlace = (table: Table): AuditPlace => ({
  get: async () => {
    const item = await table.get(auditKey())
    return item ? Place.parse(item).place : null
  },
  put: (place) => table.commit([{ put: { ...auditKey(), kind: 'audit', place } }]),
})

/** The function's place. */
export const auditPlace = onTable(openAuditPlace)
