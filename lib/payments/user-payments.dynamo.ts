import { recordsInOrder } from '#lib/dynamo/lists'
import type { Table } from '#lib/dynamo/table'
import { PaymentId } from '#lib/kernel/id'
import { paymentKey, userPaymentsQuery } from './payment.keys.ts'
import type { UserPayments } from './payment-store.ts'
import { Payment } from './state/payment.ts'

/** Reads a user's payments: a file of its own, so that its functions bundle none of the writes of a payment. */
export const openUserPayments = (table: Table): UserPayments => ({
  byUser: async (userId, { limit, after }) => {
    const { items, last } = await table.query({
      ...userPaymentsQuery(userId),
      limit,
      descending: true,
      after,
    })
    // The index may lag behind: the records are read for the state of the payments.
    const ids = items.map(({ id }) => PaymentId.parse(id))
    const payments = await recordsInOrder(table, ids, paymentKey, Payment)
    return { items: payments, next: last === undefined ? undefined : ids.at(-1) }
  },
})
