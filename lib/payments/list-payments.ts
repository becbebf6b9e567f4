import * as z from 'zod'
import type { Clock } from '#lib/kernel/clock'
import type { Cursors } from '#lib/kernel/cursor'
import { PaymentId, UserId } from '#lib/kernel/id'
import { answerPage, type Page, PageQuery } from '#lib/kernel/page'
import type { Payment } from './payment.ts'
import { PaymentStatus, statusOf } from './payment-status.ts'
import type { PaymentStore } from './payment-store.ts'
import { viewOf } from './payment-view.ts'

/** Which of their payments a user wants to see. */
export const PaymentsQuery = PageQuery.extend({ status: PaymentStatus.optional() })

/** Which of all payments an administrator wants to see; what is given must all hold. */
export const AllPaymentsQuery = PaymentsQuery.extend({
  provider: z.string().min(1).max(40).optional(),
  userId: UserId.optional(),
})

type Deps = { payments: Pick<PaymentStore, 'byUser' | 'list'>; cursors: Cursors; now: Clock }

/** A user's own payments, newest first. */
export async function listPayments(deps: Deps, userId: UserId, query: z.infer<typeof PaymentsQuery>) {
  const { items, nextCursor } = await page(deps, `payments of ${userId}`, { ...query, userId })
  return { items: items.map((payment) => viewOf(payment, deps.now())), nextCursor }
}

/** Everyone's payments, newest first, each with whose it is. */
export async function listAllPayments(deps: Deps, query: z.infer<typeof AllPaymentsQuery>) {
  const { items, nextCursor } = await page(deps, 'all payments', query)
  return {
    items: items.map((payment) => ({ ...viewOf(payment, deps.now()), userId: payment.userId })),
    nextCursor,
  }
}

function page(
  { payments, cursors, now }: Deps,
  name: string,
  { limit, cursor, ...filters }: z.infer<typeof AllPaymentsQuery>,
) {
  const { status, provider } = filters
  return answerPage(cursors, { list: name, filters, position: PaymentId }, cursor, async (after) => {
    const { items, next } = await found(payments, filters, { limit, after })
    const asked = items
      .filter((payment) => status === undefined || statusOf(payment, now()) === status)
      .filter((payment) => provider === undefined || payment.provider === provider)
    return { items: asked, next }
  })
}

type Filters = Omit<z.infer<typeof AllPaymentsQuery>, 'limit' | 'cursor'>

/** The narrowest list there is: of a user, of a status, of a provider, or all. */
const found = (
  payments: Deps['payments'],
  { userId, status, provider }: Filters,
  listing: { limit: number; after: PaymentId | undefined },
): Promise<Page<Payment, PaymentId>> =>
  userId === undefined
    ? payments.list(status ?? provider ?? 'ALL', listing)
    : payments.byUser(userId, listing)
