import * as z from 'zod'
import type { AccountReader } from '#lib/accounts/account-store'
import { type Journal, newListAction } from '#lib/journal/journal'
import type { Clock } from '#lib/kernel/clock'
import type { Cursors } from '#lib/kernel/cursor'
import { ListingId, type NewId, PaymentId, UserId } from '#lib/kernel/id'
import { answerPage, type Page, PageQuery } from '#lib/kernel/page'
import { isPayer, type Payer } from '../payer.ts'
import { ATTENTION, type PageOptions, type PaymentReader, type PaymentStore } from '../payment-store.ts'
import { viewOf } from '../payment-view.ts'
import type { Payment } from '../state/payment.ts'
import { PaymentStatus, statusOf } from '../state/payment-status.ts'
import { administeredView } from './administered-payment.ts'

/** The filter of a user's own payments. */
export const PaymentsQuery = PageQuery.extend({ status: PaymentStatus.optional() })

/** The filters of an administrator's list: a payment must match all that are given. */
export const AllPaymentsQuery = PaymentsQuery.extend({
  provider: z.string().min(1).max(40).optional(),
  userId: UserId.optional(),
  listingId: ListingId.optional(),
  attention: z
    .enum(['true', 'false'])
    .optional()
    .meta({ description: '`true`: only those that need someone' }),
})
type Filters = Omit<z.infer<typeof AllPaymentsQuery>, 'limit' | 'cursor'>

type Deps = { payments: PaymentReader; cursors: Cursors; now: Clock }

/** Lists a user's own payments, newest first. */
export async function listPayments(deps: Deps, caller: Payer, query: z.infer<typeof PaymentsQuery>) {
  const { id } = caller
  const { items, nextCursor } = await page(deps, `payments of ${id}`, query, async (position) => {
    const { items: all, next } = await deps.payments.byUser(id, position)
    return { items: all.filter((payment) => isPayer(caller, payment)), next }
  })
  return { items: items.map((payment) => viewOf(payment, deps.now())), nextCursor }
}

type AdministratorDeps = Deps & {
  payments: PaymentReader
  accounts: AccountReader
  journal: Journal
  newId: NewId
}

/**
 * Lists all payments, newest first, each with its payer and the reasons for which it needs someone. The journal records
 * the reading.
 */
export async function listAllPayments(
  deps: AdministratorDeps,
  administrator: string,
  query: z.infer<typeof AllPaymentsQuery>,
) {
  const { items, nextCursor } = await page(deps, 'all payments', query, (position) =>
    readList(deps.payments, query, position),
  )
  const action = { by: administrator, subject: 'payments', action: 'payments.listed' } as const
  const ids = items.map(({ id }) => id)
  const [payers] = await Promise.all([
    deps.accounts.getMany([...new Set(items.map(({ userId }) => userId))]),
    deps.journal.commit([deps.journal.record(newListAction(deps.newId, action, query, ids))]),
  ])
  const payerOf = new Map(payers.map((payer) => [payer.id, payer]))
  const views = items.map((payment) => administeredView(payment, payerOf.get(payment.userId), deps.now()))
  return { items: views, nextCursor }
}

/**
 * Returns a page of a list without the payments that do not match the filters, so that it may be short. A cursor is valid for
 * the same name and filters.
 */
function page(
  { cursors, now }: Pick<Deps, 'cursors' | 'now'>,
  name: string,
  { limit, cursor, ...filters }: z.infer<typeof AllPaymentsQuery>,
  read: (position: PageOptions) => ReturnType<PaymentStore['list']>,
) {
  return answerPage(cursors, { list: name, filters, position: PaymentId }, cursor, async (after) => {
    const { items, next } = await read({ limit, after })
    return { items: items.filter((payment) => fits(payment, filters, now())), next }
  })
}

function fits(payment: Payment, { status, provider, userId, listingId, attention }: Filters, now: Date) {
  if (status !== undefined && statusOf(payment, now) !== status) return false
  if (provider !== undefined && payment.provider !== provider) return false
  if (userId !== undefined && payment.userId !== userId) return false
  if (listingId !== undefined && payment.listingId !== listingId) return false
  const needsSomeone = payment.attention.length > 0
  return attention === undefined || needsSomeone === (attention === 'true')
}

/** Reads the shortest stored list that has every payment which the filters match. */
const readList = (
  payments: PaymentReader,
  { userId, status, provider, listingId, attention }: Filters,
  position: PageOptions,
): Promise<Page<Payment, PaymentId>> => {
  if (userId !== undefined) return payments.byUser(userId, position)
  const list = attention === 'true' ? ATTENTION : (listingId ?? status ?? provider ?? 'ALL')
  return payments.list(list, position)
}
