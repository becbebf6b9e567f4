import type * as z from 'zod'
import { readSortKey, shardsOf } from '#lib/dynamo/lists'
import type { Table } from '#lib/dynamo/table'
import { PaymentId } from '#lib/kernel/id'
import { paymentDueKey, paymentDuePartition, paymentKey } from '#lib/payments/payment.keys'
import type { PaymentStore } from '#lib/payments/payment-store'
import type { Payment } from '#lib/payments/state/payment'

/** Opens the list of due payments in the one table. `record` is the schema of a stored payment. */
export const openDuePayments = (
  table: Table,
  record: z.ZodType<Payment>,
): Pick<PaymentStore, 'due' | 'dropDue' | 'getEach'> => ({
  getEach: async (ids) => {
    // By the key, which names a payment even if the rest of its record cannot be parsed.
    const idOf = new Map(ids.map((id) => [paymentKey(id).pk, id]))
    const items = await table.getMany(ids.map(paymentKey))
    return new Map(
      items.flatMap((item) => {
        const id = idOf.get(String(item['pk']))
        const { data, error } = record.safeParse(item)
        return id ? [[id, data ?? new Error(`${id} cannot be read: ${error?.message}`)]] : []
      }),
    )
  },
  due: async (now, { shard, limit, after }) => {
    const partition = shardsOf(paymentDuePartition())[shard] ?? ''
    const span = { limit, after: after && paymentDueKey(after.dueAt, after.id).sk, consistent: true }
    const { items } = await table.query({ partition, ...span })
    const due = items.map(({ sk }) => readSortKey(sk)).filter(({ at }) => at <= now)
    return due.map(({ at, id }) => ({ id: PaymentId.parse(id), dueAt: at }))
  },
  dropDue: ({ id, dueAt }) => ({ remove: paymentDueKey(dueAt, id) }),
})
