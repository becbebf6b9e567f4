import * as z from 'zod'
import { queryShards, recordsInOrder } from '#lib/dynamo/lists'
import { storeOnTable, type Table } from '#lib/dynamo/table'
import { PaymentId } from '#lib/kernel/id'
import type { Key, Write } from '#lib/kernel/write'
import { oneLessOpen, oneMoreOpen } from './checkout/open-count.dynamo.ts'
import { Posting } from './ledger/posting.ts'
import {
  auditKey,
  auditPartition,
  moveKey,
  paymentDueKey,
  paymentKey,
  paymentListKey,
  paymentListPartition,
  postingKey,
  postingQuery,
  referenceKey,
  userPaymentsEntry,
} from './payment.keys.ts'
import { Payment } from './payment.ts'
import { ATTENTION, type PaymentStore } from './payment-store.ts'
import { openDuePayments } from './reconcile/due-payments.dynamo.ts'
import { referenceWrites } from './references/references.dynamo.ts'
import { openUserPayments } from './user-payments.dynamo.ts'

/** Payments in the one table. */
export const openPayments = (table: Table): PaymentStore => {
  const get: PaymentStore['get'] = async (id) => {
    const item = await table.get(paymentKey(id))
    return item && Payment.parse(item)
  }
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
    ...openDuePayments(table, Payment),
    toAudit: async (page) => {
      const { items } = await queryShards(table, auditPartition(), page)
      return items.map((item) => ({
        id: PaymentId.parse(item['sk']),
        version: z.int().parse(item['version']),
      }))
    },
    audited: ({ id, version }) => ({ remove: auditKey(id), when: { equals: { version } } }),
    insert: (payment) => [
      { put: itemOf(payment), when: 'absent' },
      ...placesOf(payment).map(entryOf),
      toAuditOf(payment),
      oneMoreOpen(payment),
    ],
    save: (before, after) => {
      const [old, now] = [placesOf(before), placesOf(after)]
      const isIn = (places: Place[], { key }: Place) =>
        places.some((place) => place.key.pk === key.pk && place.key.sk === key.sk)
      return [
        { put: itemOf(after), when: { equals: { version: before.version } } },
        ...referenceWrites(before, after),
        ...old.filter((place) => !isIn(now, place)).map(({ key }): Write => ({ remove: key })),
        ...now.filter((place) => !isIn(old, place)).map(entryOf),
        toAuditOf(after),
        ...(before.status === 'PENDING' && after.status !== 'PENDING' ? [oneLessOpen(after)] : []),
      ]
    },
    unchanged: ({ id, version }) => ({ check: paymentKey(id), when: { equals: { version } } }),
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
    post: (id, posting) => ({
      put: {
        ...postingKey(id, posting.version, `${posting.object} ${posting.currency}`),
        kind: 'posting',
        ...posting,
      },
      when: 'absent',
    }),
    postings: async (id) => {
      const items = await table.queryAll({ ...postingQuery(id), consistent: true })
      return items.map((item) => Posting.parse(item))
    },
    commit: table.commit,
  }
}

const itemOf = (payment: Payment) => ({
  ...paymentKey(payment.id),
  ...userPaymentsEntry(payment.userId, payment.id),
  kind: 'payment',
  ...payment,
})

const toAuditOf = ({ id, version }: Payment): Write => ({
  put: { ...auditKey(id), kind: 'payment-to-audit', version },
})

type Place = { kind: string; key: Key }

/** Every list that a payment stands in, by its own state. */
function placesOf({ id, provider, status, dueAt, listingId, listing, attention }: Payment): Place[] {
  const lists = ['ALL', provider, status, listingId, listing?.agent?.userId ?? null]
  const named = [...lists, attention.length > 0 ? ATTENTION : null].filter((list) => list !== null)
  return [
    ...[...new Set(named)].map((list) => ({ kind: 'payment-entry', key: paymentListKey(list, id) })),
    ...(dueAt === null ? [] : [{ kind: 'payment-due', key: paymentDueKey(dueAt, id) }]),
  ]
}

const entryOf = ({ kind, key }: Place): Write => ({ put: { ...key, kind } })

/** The function's payment store. */
export const paymentStore = storeOnTable(
  openPayments,
  {
    get: { PAYMENT: ['get'] },
    getEach: { PAYMENT: ['get'] },
    byReference: { REFERENCE: ['get'], PAYMENT: ['get'] },
    byUser: { PAYMENT: ['get'], 'gsi1:USER': ['query'] },
    list: { PAYMENTS: ['query'], PAYMENT: ['get'] },
    due: { 'PAYMENTS-DUE': ['query'] },
    dropDue: { 'PAYMENTS-DUE': ['remove'] },
    toAudit: { 'PAYMENTS-TO-AUDIT': ['query'] },
    audited: { 'PAYMENTS-TO-AUDIT': ['remove'] },
    insert: {
      PAYMENT: ['put'],
      PAYMENTS: ['put'],
      'PAYMENTS-DUE': ['put'],
      'PAYMENTS-TO-AUDIT': ['put'],
      PAYER: ['update'],
    },
    save: {
      PAYMENT: ['put'],
      REFERENCE: ['put'],
      REFUND: ['put'],
      PAYMENTS: ['put', 'remove'],
      'PAYMENTS-DUE': ['put', 'remove'],
      'PAYMENTS-TO-AUDIT': ['put'],
      PAYER: ['update'],
    },
    unchanged: { PAYMENT: ['check'] },
    record: { PAYMENT: ['put'] },
    post: { PAYMENT: ['put'] },
    postings: { PAYMENT: ['query'] },
    commit: { EVENTS: ['put'] },
  },
  {
    untested: {
      because: 'not every change is announced',
      uses: { EVENTS: ['put'] },
    },
  },
)
