import * as z from 'zod'
import { queryShards, readSortKey, recordsInOrder, shardsOf } from '#lib/dynamo/lists'
import { onTable, type Table } from '#lib/dynamo/table'
import { DomainError } from '#lib/kernel/domain-error'
import { PaymentId, type RefundId, type UserId } from '#lib/kernel/id'
import type { Key, Write } from '#lib/kernel/write'
import {
  auditKey,
  auditPartition,
  moveKey,
  openPaymentsKey,
  paymentDueKey,
  paymentDuePartition,
  paymentKey,
  paymentListKey,
  paymentListPartition,
  referencedIndex,
  referenceKey,
  refundKey,
  userPaymentsEntry,
} from './payment.keys.ts'
import {
  ATTENTION,
  OPEN_LIMIT,
  type PaymentReader,
  type PaymentStore,
  ReferenceTaken,
} from './payment-store.ts'
import { foldOf } from './state/fold.ts'
import { Payment } from './state/payment.ts'
import { shownId } from './state/refund.ts'
import { openUserPayments } from './user-payments.dynamo.ts'

/** Payments in the one table. */
export const openPayments = (table: Table): PaymentStore => {
  const get: PaymentStore['get'] = async (id) => {
    const item = await table.get(paymentKey(id))
    return item && Payment.parse(item)
  }
  const payerCount = async (userId: UserId, name: 'open' | 'begun') =>
    z.int().parse((await table.get(openPaymentsKey(userId)))?.[name] ?? 0)
  const getAll = (ids: PaymentId[]) => recordsInOrder(table, ids, paymentKey, Payment)
  return {
    get,
    byReference: async (provider, references) => {
      if (references.length === 0) return undefined
      const items = await table.getMany(references.map((reference) => referenceKey(provider, reference)))
      const ids = new Map(items.map(({ reference, paymentId }) => [reference, paymentId]))
      const known = references.find((reference) => ids.has(reference))
      return known === undefined ? undefined : get(PaymentId.parse(ids.get(known)))
    },
    ...openUserPayments(table),
    list: async (list, { limit, after }) => {
      const span = { limit, after, descending: true }
      const { items, next } = await queryShards(table, paymentListPartition(list), span)
      const ids = items.map(({ sk }) => PaymentId.parse(sk))
      return { items: await getAll(ids), next: next === undefined ? undefined : PaymentId.parse(next) }
    },
    getEach: async (ids) => {
      // By the key, which names a payment even if the rest of its record cannot be parsed.
      const idOf = new Map(ids.map((id) => [paymentKey(id).pk, id]))
      const items = await table.getMany(ids.map(paymentKey))
      return new Map(
        items.flatMap((item) => {
          const id = idOf.get(String(item['pk']))
          const { data, error } = Payment.safeParse(item)
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
    dropDue: ({ id, dueAt }) => table.remove(paymentDueKey(dueAt, id)),
    toAudit: async (page) => {
      const { items } = await queryShards(table, auditPartition(), page)
      return items.map((item) => ({
        id: PaymentId.parse(item['sk']),
        version: z.int().parse(item['version']),
      }))
    },
    markAudited: ({ id, version }) => table.remove(auditKey(id), { when: { equals: { version } } }),
    countOpen: (userId) => payerCount(userId, 'open'),
    countBegun: (userId) => payerCount(userId, 'begun'),
    requireBegun: (userId, begun) =>
      table.check(openPaymentsKey(userId), { when: begun === 0 ? 'absent' : { equals: { begun } } }),
    insert: (payment) => [
      // A new payment has neither references nor refunds.
      table.put(itemOf(payment), { when: 'absent' }),
      ...placesOf(payment).map((place) => entryOf(table, place)),
      toAuditOf(table, payment),
      {
        ...changePayerCounts(table, payment, { open: 1, begun: 1 }),
        when: { absentOrBelow: { attribute: 'open', value: OPEN_LIMIT } },
        otherwise: () => new DomainError('open_payment_limit_reached'),
      },
    ],
    save: (before, after) => {
      const [placesBefore, placesAfter] = [placesOf(before), placesOf(after)]
      const isIn = (places: Place[], { key }: Place) =>
        places.some((place) => place.key.pk === key.pk && place.key.sk === key.sk)
      return [
        table.put(itemOf(after), { when: { equals: { version: before.version } } }),
        ...referenceWrites(table, before, after),
        ...refundWrites(table, before, after),
        ...placesBefore
          .filter((place) => !isIn(placesAfter, place))
          .map(({ key }): Write => table.remove(key)),
        ...placesAfter.filter((place) => !isIn(placesBefore, place)).map((place) => entryOf(table, place)),
        toAuditOf(table, after),
        ...openCountChange(table, before, after),
      ]
    },
    unchanged: ({ id, version }) => table.check(paymentKey(id), { when: { equals: { version } } }),
    recordMove: ({ payment, from, actor, reason }) =>
      table.put(
        {
          ...moveKey(payment.id, payment.version),
          kind: 'payment-move',
          from,
          to: payment.status,
          at: payment.updatedAt,
          actor,
          reason,
        },
        { when: 'absent' },
      ),
    commit: table.commit,
  }
}

const itemOf = (payment: Payment) => ({
  ...paymentKey(payment.id),
  ...userPaymentsEntry(payment.userId, payment.id),
  kind: 'payment',
  ...payment,
})

const toAuditOf = (table: Table, { id, version }: Payment): Write =>
  table.put({ ...auditKey(id), kind: 'payment-to-audit', version })

type Place = { kind: string; key: Key }

/** Returns every list that a payment stands in, by its own state. */
function placesOf({ id, provider, status, dueAt, listingId, listing, attention }: Payment): Place[] {
  const lists = ['ALL', provider, status, listingId, listing?.agent?.userId ?? null]
  const named = [...lists, attention.length > 0 ? ATTENTION : null].filter((list) => list !== null)
  return [
    ...[...new Set(named)].map((list) => ({ kind: 'payment-entry', key: paymentListKey(list, id) })),
    ...(dueAt === null ? [] : [{ kind: 'payment-due', key: paymentDueKey(dueAt, id) }]),
  ]
}

const entryOf = (table: Table, { kind, key }: Place): Write => table.put({ ...key, kind })

/**
 * Counts a payment that becomes PENDING, or is so no longer. No limit holds here: a PROCESSING payment whose attempt is
 * refused is PENDING again.
 */
function openCountChange(table: Table, before: Payment, after: Payment): Write[] {
  const [was, is] = [before.status === 'PENDING', after.status === 'PENDING']
  return was === is ? [] : [changePayerCounts(table, after, { open: is ? 1 : -1 })]
}

/** Changes the number of a payer's PENDING payments, and that of all begun ones. */
const changePayerCounts = (table: Table, { userId }: Payment, add: { open: 1 | -1; begun?: 1 }) =>
  table.update(openPaymentsKey(userId), { set: { kind: 'open-payments' }, add })

/** Stores which payment the new references name. A reference of another payment is `ReferenceTaken`. */
const referenceWrites = (table: Table, before: Payment, { id, provider, references }: Payment): Write[] =>
  references
    .filter((reference) => !before.references.includes(reference))
    .map((reference) =>
      table.put(
        {
          ...referenceKey(provider, reference),
          ...referencedIndex(reference, id),
          kind: 'payment-reference',
          reference,
          paymentId: id,
        },
        { when: 'absent', otherwise: () => new ReferenceTaken(reference) },
      ),
    )

/** Stores which payment the new refunds are part of. */
function refundWrites(table: Table, before: Payment, after: Payment): Write[] {
  const known = refundIdsOf(before)
  const added = refundIdsOf(after).filter((id) => !known.includes(id))
  return added.map((id) => table.put({ ...refundKey(id), kind: 'payment-refund', paymentId: after.id }))
}

const refundIdsOf = (payment: Payment): RefundId[] =>
  foldOf(payment).refunds.map((refund) => shownId(payment.id, refund))

/** The payment store, as a dependency of functions. */
export const payments = onTable(openPayments, {
  reads: ['PAYER', 'PAYMENT', 'PAYMENTS', 'PAYMENTS-DUE', 'PAYMENTS-TO-AUDIT', 'REFERENCE', 'gsi1:USER'],
  writes: ['PAYER', 'PAYMENT', 'PAYMENTS', 'PAYMENTS-DUE', 'PAYMENTS-TO-AUDIT', 'REFERENCE', 'REFUND'],
})

export const paymentReader = onTable((table): PaymentReader => openPayments(table), {
  reads: ['PAYER', 'PAYMENT', 'PAYMENTS', 'PAYMENTS-DUE', 'PAYMENTS-TO-AUDIT', 'REFERENCE', 'gsi1:USER'],
})
