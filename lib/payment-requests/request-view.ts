import * as z from 'zod'
import type { Account } from '#lib/accounts/account'
import type { AccountReader } from '#lib/accounts/account-store'
import { isThere } from '#lib/enquiries/enquiry-view'
import { ListingSummary, type SummaryDeps, summaryOf } from '#lib/enquiries/listing-summary'
import { UserId } from '#lib/kernel/id'
import type { Listing } from '#lib/listings/listing'
import type { ListingReader } from '#lib/listings/listing-store'
import { isOverdue, PaymentRequest, requestStatusOf } from './payment-request.ts'

/** A payment request as its two sides read it. */
export const PaymentRequestView = PaymentRequest.pick({
  id: true,
  enquiryId: true,
  purpose: true,
  amount: true,
  currency: true,
  dueAt: true,
  note: true,
  repeats: true,
  seriesId: true,
  status: true,
  paymentId: true,
  createdAt: true,
})
  .extend({
    overdue: z.boolean().meta({ description: 'Whether it is OPEN past `dueAt`; it can still be paid' }),
    listing: ListingSummary,
    customer: z
      .object({ userId: UserId, name: z.string().nullable().meta({ example: 'Yao Brou' }) })
      .nullable()
      .meta({ description: 'Null once the customer is banned or erased' }),
  })
  .meta({ id: 'PaymentRequest' })
export type PaymentRequestView = z.infer<typeof PaymentRequestView>

export type RequestViewDeps = SummaryDeps & {
  listings: ListingReader
  accounts: AccountReader
}

/** The records that a view shows with its request. */
type Shown = { listing: Listing | undefined; owner: Account | undefined; customer: Account | undefined }

/** Shows a request whose listing and people were read already. */
export async function viewRequest(
  deps: SummaryDeps,
  request: PaymentRequest,
  { listing, owner, customer }: Shown,
): Promise<PaymentRequestView> {
  return {
    // The schema of the answer removes the fields that a view does not have.
    ...request,
    status: requestStatusOf(request, deps.now()),
    overdue: isOverdue(request, deps.now()),
    listing: await summaryOf(deps, request.listingId, listing, owner),
    customer: isThere('customer', customer) ? { userId: customer.id, name: customer.name } : null,
  }
}

/** Shows at most 100 requests in order, with three reads at once. */
export async function viewRequests(
  deps: RequestViewDeps,
  requests: readonly PaymentRequest[],
): Promise<PaymentRequestView[]> {
  // Ids may repeat: `getMany` reads each once.
  const [listings, owners, customers] = await Promise.all([
    deps.listings.getMany(requests.map(({ listingId }) => listingId)),
    deps.accounts.getMany(requests.map(({ ownerId }) => ownerId)),
    deps.accounts.getMany(requests.map(({ customerId }) => customerId)),
  ])
  const listingOf = new Map(listings.map((listing) => [listing.id, listing]))
  const accountOf = new Map([...owners, ...customers].map((account) => [account.id, account]))
  return Promise.all(
    requests.map((request) =>
      viewRequest(deps, request, {
        listing: listingOf.get(request.listingId),
        owner: accountOf.get(request.ownerId),
        customer: accountOf.get(request.customerId),
      }),
    ),
  )
}

/** Reads the records that a request's view needs, and shows it. */
export async function readRequestView(
  deps: RequestViewDeps,
  request: PaymentRequest,
): Promise<PaymentRequestView> {
  const [view] = await viewRequests(deps, [request])
  if (!view) throw new Error('A request has one view')
  return view
}
