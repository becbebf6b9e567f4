import type { AccountReader } from '#lib/accounts/account-store'
import type { Clock } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import { PaymentRequestId } from '#lib/kernel/id'
import type { Write } from '#lib/kernel/write'
import type { ListingReader } from '#lib/listings/listing-store'
import {
  groundOf,
  type Hold,
  isHeldByAnother,
  isHoldingPayment,
  isHoldingPurpose,
  withPayment,
} from '#lib/payment-requests/holds/hold'
import type { HoldStore } from '#lib/payment-requests/holds/hold-store'
import type { FindPayable } from '#lib/payments/checkout/check-payment'
import type { PaymentReader } from '#lib/payments/payment-store'
import type { Payment } from '#lib/payments/state/payment'
import { statusOf } from '#lib/payments/state/payment-status'
import { refuseUnavailable } from './create-request.ts'
import { withFollowers } from './followers.ts'
import {
  type PaymentRequest,
  pendingOf,
  processingOf,
  refuseInProgress,
  refuseTooManyUnpaid,
  refuseUnlessOpen,
  withPaymentStatus,
} from './payment-request.ts'
import type { RequestStore } from './request-store.ts'

type PayRequestDeps = {
  requests: RequestStore
  holds: HoldStore
  payments: PaymentReader
  listings: ListingReader
  accounts: AccountReader
  now: Clock
}

/** Joins to the dependencies of a new payment the request that it may pay, and what follows the payment. */
export const withPayable = <Deps extends PayRequestDeps & Parameters<typeof withFollowers>[0]>(
  deps: Deps,
) => ({
  ...withFollowers(deps),
  findPayable: findPayable(deps),
})

/**
 * Returns a function that finds the request which a customer is about to pay. It throws `not_found` for anyone else's,
 * `payment_request_not_open`, `payment_request_in_progress`, `payment_limit_reached`, and `listing_not_available`.
 */
const findPayable =
  (deps: PayRequestDeps): FindPayable =>
  async (payer, id) => {
    const requestId = PaymentRequestId.safeParse(id).data
    const seen = requestId && (await deps.requests.get(requestId))
    if (seen?.customerId !== payer) throw new DomainError('not_found')
    const [request, listing, agent, hold] = await Promise.all([
      withoutExpired(deps, seen),
      deps.listings.get(seen.listingId),
      deps.accounts.get(seen.ownerId),
      isHoldingPurpose(seen.purpose) ? deps.holds.get(seen.listingId) : null,
    ])
    refuseUnlessOpen(request, deps.now())
    refuseInProgress(processingOf(request) ?? pendingOf(request))
    refuseTooManyUnpaid(request)
    if (!listing) throw new DomainError('listing_not_available')
    refuseUnavailable(listing, agent, deps.now())
    return { request, listing, agent, writesWith: (payment) => payWrites(deps, request, hold, payment) }
  }

/** Takes a PENDING payment that has expired out of its request: a job stores the expiry only later. */
async function withoutExpired(
  { payments, now }: PayRequestDeps,
  request: PaymentRequest,
): Promise<PaymentRequest> {
  const pending = pendingOf(request)
  const payment = pending && (await payments.get(pending))
  return payment ? withPaymentStatus(request, { id: payment.id, status: statusOf(payment, now()) }) : request
}

/**
 * Returns the writes that accompany a new payment of a request: the request is being paid and, for a deposit or a
 * purchase, its listing is held. `hold` is null where the request's purpose holds no listing. Of several simultaneous
 * payers, one gets the hold. Throws `listing_reserved`.
 */
function payWrites(
  { requests, holds, now }: PayRequestDeps,
  request: PaymentRequest,
  hold: Hold | null,
  payment: Payment,
): Write[] {
  const next = withPaymentStatus(request, payment)
  const requestWrites = requests.replace(request, { ...next, version: request.version + 1 })
  const ground = groundOf(payment)
  // A new payment that holds its listing has both a ground and a hold, though the types do not say so.
  if (!isHoldingPayment(payment) || !ground || !hold) return requestWrites
  if (isHeldByAnother(hold, payment.userId, now())) {
    throw new DomainError('listing_reserved', { detail: 'The payment of another customer holds the listing' })
  }
  return [...requestWrites, holds.replace(hold, withPayment(hold, payment, ground))]
}
