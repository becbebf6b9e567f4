import { dependency } from '#lib/config'
import { openTable, type Table } from '#lib/dynamo/table'
import { PaymentId } from '#lib/kernel/id'
import { moveKey, paymentKey, referenceKey, userPaymentsEntry, userPaymentsQuery } from './payment.keys.ts'
import { Payment } from './payment.ts'
import type { PaymentStore } from './payment-store.ts'

/** Payments in the one table. */
export const openPayments = (table: Table): PaymentStore => {
  const get: PaymentStore['get'] = async (id) => {
    const item = await table.get(paymentKey(id))
    return item && Payment.parse(item)
  }
  const item = (payment: Payment) => ({
    ...paymentKey(payment.id),
    ...userPaymentsEntry(payment.userId, payment.id),
    kind: 'payment',
    ...payment,
  })
  return {
    get,
    byReference: async (provider, references) => {
      if (references.length === 0) return undefined
      const items = await table.getMany(references.map((reference) => referenceKey(provider, reference)))
      const ids = new Map(items.map(({ reference, paymentId }) => [reference, paymentId]))
      const known = references.find((reference) => ids.has(reference))
      return known === undefined ? undefined : get(PaymentId.parse(ids.get(known)))
    },
    byUser: async (userId, { limit, after }) => {
      const { items, last } = await table.query({
        ...userPaymentsQuery(userId),
        limit,
        descending: true,
        ...(after && { after: { ...paymentKey(after), ...userPaymentsEntry(userId, after) } }),
      })
      // The index only lists, and late: what a payment is, its record says.
      const ids = items.map(({ id }) => PaymentId.parse(id))
      const found = ids.length > 0 ? await table.getMany(ids.map(paymentKey)) : []
      const payments = new Map(
        found.map((item) => Payment.parse(item)).map((payment) => [payment.id, payment]),
      )
      return { items: ids.flatMap((id) => payments.get(id) ?? []), next: last && ids.at(-1) }
    },
    insert: (payment) => ({ put: item(payment), when: 'absent' }),
    replace: (payment) => ({ put: item(payment), when: { equals: { version: payment.version - 1 } } }),
    name: ({ id, provider }, references) =>
      references.map((reference) => ({
        put: { ...referenceKey(provider, reference), kind: 'payment-reference', reference, paymentId: id },
      })),
    record: ({ payment, from, actor, reason }) => ({
      put: {
        ...moveKey(payment.id, payment.version),
        kind: 'payment-move',
        from,
        to: payment.status,
        at: payment.updatedAt,
        actor,
        reason,
      },
      when: 'absent',
    }),
    commit: table.commit,
  }
}

/** The function's payment store. */
export const paymentStore = dependency(['TABLE_NAME'], ({ TABLE_NAME }) =>
  openPayments(openTable(TABLE_NAME)),
)
