import { storeOnTable, type Table } from '#lib/dynamo/table'
import { PaymentId } from '#lib/kernel/id'
import type { Write } from '#lib/kernel/write'
import { referencedIndex, referencedQuery, referenceKey, refundKey } from '../payment.keys.ts'
import type { Payment } from '../payment.ts'
import { ReferenceTaken } from '../payment-store.ts'
import { refundsOf, shownId } from '../refunds/refund.ts'
import type { References } from './references.ts'

/** The ids of providers and refunds in the one table. */
export const openReferences = (table: Table): References => ({
  ofReference: async (reference, limit) => {
    const { items } = await table.query({ ...referencedQuery(reference), limit })
    return items.map((item) => String(item['gsi2sk']))
  },
  ofRefund: async (id) => PaymentId.optional().parse((await table.get(refundKey(id)))?.['paymentId']),
})

/** Stores a payment under its new references and refunds. A reference of another payment is `ReferenceTaken`. */
export const referenceWrites = (before: Payment, after: Payment): Write[] => [
  ...after.references
    .filter((reference) => !before.references.includes(reference))
    .map((reference) => nameOf(after, reference)),
  ...refundWrites(refundIdsOf(before), refundIdsOf(after), after.id),
]

const nameOf = ({ id, provider }: Payment, reference: string): Write => ({
  put: {
    ...referenceKey(provider, reference),
    ...referencedIndex(reference, id),
    kind: 'payment-reference',
    reference,
    paymentId: id,
  },
  when: 'absent',
  otherwise: () => new ReferenceTaken(reference),
})

const refundIdsOf = (payment: Payment) => refundsOf(payment).map((refund) => shownId(payment.id, refund))

const refundWrites = (
  known: ReturnType<typeof refundIdsOf>,
  ids: ReturnType<typeof refundIdsOf>,
  paymentId: PaymentId,
): Write[] =>
  ids
    .filter((id) => !known.includes(id))
    .map((id) => ({ put: { ...refundKey(id), kind: 'payment-refund', paymentId } }))

/** The function's references. */
export const references = storeOnTable(openReferences, {
  ofReference: { 'gsi2:REFERENCED': ['query'] },
  ofRefund: { REFUND: ['get'] },
})
