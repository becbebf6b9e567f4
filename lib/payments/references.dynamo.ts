import { onTable, type Table } from '#lib/dynamo/table'
import { PaymentId } from '#lib/kernel/id'
import { referencedQuery, refundKey } from './payment.keys.ts'
import type { References } from './payment-store.ts'

/** Opens the ids of providers and refunds in the one table, where the payment store writes them. */
const openReferences = (table: Table): References => ({
  ofReference: async (reference, limit) => {
    const { items } = await table.query({ ...referencedQuery(reference), limit })
    return items.map((item) => String(item['gsi2sk']))
  },
  ofRefund: async (id) => PaymentId.optional().parse((await table.get(refundKey(id)))?.['paymentId']),
})

/** The references, as a dependency of functions. */
export const references = onTable(openReferences, { reads: ['REFUND', 'gsi2:REFERENCED'] })
