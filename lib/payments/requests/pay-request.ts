import type { Account } from '#lib/accounts/account'
import type { AccountStore } from '#lib/accounts/account-store'
import type { Clock } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import { PaymentRequestId, type UserId } from '#lib/kernel/id'
import type { Write } from '#lib/kernel/write'
import type { Listing } from '#lib/listings/listing'
import type { ListingStore } from '#lib/listings/listing-store'
import type { Payment } from '#lib/payments/payment'
import { statusOf as paymentStatusOf } from '#lib/payments/payment-status'
import type { PaymentStore } from '#lib/payments/payment-store'
import { holderOf, holdOf } from '#lib/payments/reservations/follow-hold'
import { isRequestedDeposit } from '#lib/payments/reservations/hold'
import type { HoldStore } from '#lib/payments/reservations/hold-store'
import { refuseUnavailable } from './create-request.ts'
import { type PaymentRequest, refuseUnlessOpen } from './payment-request.ts'
import type { RequestStore } from './request-store.ts'

export type PayRequestDeps = {
  requests: Pick<RequestStore, 'get' | 'replace'>
  holds: HoldStore
  payments: Pick<PaymentStore, 'get' | 'unchanged'>
  listings: Pick<ListingStore, 'get'>
  accounts: Pick<AccountStore, 'get'>
  now: Clock
}

/** A payment request that its customer may pay now, with its listing and the listing's owner. */
export type Payable = { request: PaymentRequest; listing: Listing; agent: Account | undefined }

/**
 * The request that a customer is about to pay. Throws `not_found` for anyone else's, `payment_request_in_progress`,
 * `payment_request_not_open`, and `listing_not_available`.
 */
export async function getPayable(deps: PayRequestDeps, payer: UserId, id: string): Promise<Payable> {
  const requestId = PaymentRequestId.safeParse(id).data
  const seen = requestId && (await deps.requests.get(requestId))
  if (seen?.customerId !== payer) throw new DomainError('not_found')
  const request = await withoutEnded(deps, seen)
  refuseUnlessOpen(request, deps.now())
  const [listing, agent] = await Promise.all([
    deps.listings.get(request.listingId),
    deps.accounts.get(request.ownerId),
  ])
  if (!listing) throw new DomainError('listing_not_available')
  refuseUnavailable(listing, agent, deps.now())
  return { request, listing, agent }
}

/** A payment whose time is over, and that was not written since, is under way no more. */
async function withoutEnded(
  { payments, now }: PayRequestDeps,
  request: PaymentRequest,
): Promise<PaymentRequest> {
  const payment = request.underway && (await payments.get(request.underway))
  if (!payment || ['PENDING', 'PROCESSING'].includes(paymentStatusOf(payment, now()))) return request
  return { ...request, underway: null }
}

/**
 * The writes beside a new payment of a request: the request is being paid and, for a deposit, its listing is held. Of
 * many at once one holds it. Throws `listing_reserved`.
 */
export async function payWrites(
  deps: PayRequestDeps,
  request: PaymentRequest,
  payment: Payment,
): Promise<Write[]> {
  const paying = deps.requests.replace(request, {
    ...request,
    underway: payment.id,
    version: request.version + 1,
  })
  if (!isRequestedDeposit(payment)) return paying
  const held = await deps.holds.get(payment.listingId)
  const holder = held && (await holderOf(deps, held))
  if (held && holder?.isAlive) {
    // Of two payments of one request at once the first holds the listing, and the second is
    // `payment_request_in_progress`.
    if (held.requestId === request.id) refuseUnlessOpen({ ...request, underway: held.paymentId }, deps.now())
    throw new DomainError('listing_reserved', {
      detail: 'Another deposit holds the listing',
      ...(held.userId === payment.userId && { extensions: { paymentId: held.paymentId } }),
    })
  }
  const hold = { ...holdOf(payment), waiting: held?.waiting ?? {} }
  return [...paying, deps.holds.put(held, hold), ...(holder?.unchanged ?? [])]
}
