import * as z from 'zod'
import type { AccountReader } from '#lib/accounts/account-store'
import type { Clock } from '#lib/kernel/clock'
import type { Cursors } from '#lib/kernel/cursor'
import { type ListingId, PaymentId, type UserId } from '#lib/kernel/id'
import { answerPage, FILTERED_READ_MAX, matchesOf, type PageQuery } from '#lib/kernel/page'
import type { ListingReader } from '#lib/listings/listing-store'
import { getOwnListing } from '#lib/listings/read-listing'
import { payerNameOf } from '../payer.ts'
import type { PaymentReader } from '../payment-store.ts'
import { foldOf } from '../state/fold.ts'
import { Payment } from '../state/payment.ts'
import { isPaid, PaymentStatus, statusOf } from '../state/payment-status.ts'

/** A payment on a listing, as the listing's owner sees it. */
export const ListingPayment = Payment.pick({
  id: true,
  purpose: true,
  amount: true,
  currency: true,
  paymentRequestId: true,
  createdAt: true,
})
  .extend({
    status: PaymentStatus,
    amountPaid: z.int().meta({ example: 150_000 }),
    amountRefunded: z.int().meta({ example: 0 }),
    payer: z.object({
      name: z.string().nullable().meta({ description: 'Null once erased', example: 'Yao Brou' }),
    }),
  })
  .meta({ id: 'ListingPayment' })

type Deps = {
  payments: PaymentReader
  listings: ListingReader
  accounts: AccountReader
  cursors: Cursors
  now: Clock
}

/** Lists the paid payments on a listing of the caller's, newest first. Throws `not_found` and `forbidden`. */
export async function listListingPayments(
  deps: Deps,
  userId: UserId,
  id: ListingId,
  { limit, cursor }: z.infer<typeof PageQuery>,
) {
  const { listing } = await getOwnListing(deps, { kind: 'user', userId }, id)
  const list = { list: 'listing-payments', filters: { listing: listing.id }, position: PaymentId }
  return answerPage(deps.cursors, list, cursor, async (after) => {
    const page = await deps.payments.list(listing.id, { limit: FILTERED_READ_MAX, after })
    const { items, next } = matchesOf(page, limit, (payment) => payment.id, isPaid)
    const payers = await deps.accounts.getMany(items.map((payment) => payment.userId))
    const payerOf = new Map(payers.map((payer) => [payer.id, payer]))
    const views = items.map((payment) => ({
      id: payment.id,
      purpose: payment.purpose,
      amount: payment.amount,
      currency: payment.currency,
      paymentRequestId: payment.paymentRequestId,
      createdAt: payment.createdAt,
      status: statusOf(payment, deps.now()),
      // The refunded sum is stored with the payment; the paid one is computed.
      amountPaid: foldOf(payment).amountPaid,
      amountRefunded: payment.amountRefunded,
      payer: { name: payerNameOf(payerOf.get(payment.userId), payment) },
    }))
    return { items: views, next }
  })
}
