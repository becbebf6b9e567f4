import * as z from 'zod'
import { type Account, isInGoodStanding } from '#lib/accounts/account'
import type { AccountStore } from '#lib/accounts/account-store'
import type { Enquiry } from '#lib/enquiries/enquiry'
import type { EnquiryStore } from '#lib/enquiries/enquiry-store'
import { isThere } from '#lib/enquiries/enquiry-view'
import { type Clock, Moment, secondsAfter, timestamp } from '#lib/kernel/clock'
import { DomainError, invalidField } from '#lib/kernel/domain-error'
import { EnquiryId, type ListingId, type NewId } from '#lib/kernel/id'
import { Amount, Currency } from '#lib/kernel/money'
import type { Once } from '#lib/kernel/once'
import type { Quota, Quotas } from '#lib/kernel/quota'
import { retryConflicts } from '#lib/kernel/retry'
import { text } from '#lib/kernel/text'
import { getOwnListing } from '#lib/listings/get-listing'
import type { Listing } from '#lib/listings/listing'
import type { ListingStore } from '#lib/listings/listing-store'
import type { MediaLinks } from '#lib/media/store/media-links'
import { Purpose } from '#lib/payments/payment'
import type { PaymentRequest } from './payment-request.ts'
import { requestCreated } from './request-events.ts'
import type { RequestStore } from './request-store.ts'
import { type PaymentRequestView, viewRequest } from './request-view.ts'

/** What an owner asks of a customer. */
export const PaymentRequestDraft = z.object({
  enquiryId: EnquiryId,
  purpose: Purpose,
  amount: Amount,
  currency: Currency,
  dueAt: Moment.nullish(),
  note: text({ max: 1000 }).nullish(),
})
type Draft = z.infer<typeof PaymentRequestDraft>

const YEAR_SECONDS = 365 * 24 * 60 * 60
const OPEN_MAX = 5
const DAILY: Quota = { policy: 'payment-requests', limit: 50, windowSeconds: 24 * 60 * 60 }

type Deps = {
  requests: RequestStore
  enquiries: EnquiryStore
  listings: Pick<ListingStore, 'get'>
  accounts: Pick<AccountStore, 'get'>
  links: MediaLinks
  quotas: Quotas
  once: Once<PaymentRequestView>
  now: Clock
  newId: NewId
}

/**
 * Asks the customer of an enquiry for a payment, as the owner of its listing. At most five requests of an enquiry are
 * OPEN. Throws `not_found`, `forbidden`, `validation_failed` for an enquiry of another listing or another currency,
 * `other_side_gone`, `listing_not_available`, `open_request_limit_reached` and `too_many_requests`.
 */
export const createRequest = (
  deps: Deps,
  owner: Account,
  listingId: ListingId,
  draft: Draft,
): Promise<PaymentRequestView> =>
  retryConflicts(async () => {
    refuseOtherDates(draft, deps.now())
    const { listing } = await getOwnListing(deps, { kind: 'user', userId: owner.id }, listingId)
    const enquiry = await enquiryAbout(deps, listing, draft)
    const customer = await deps.accounts.get(enquiry.customerId)
    if (!isThere('customer', customer)) throw new DomainError('other_side_gone')
    refuseUnavailable(listing, owner, deps.now())
    if (enquiry.requests.open >= OPEN_MAX) {
      throw new DomainError('open_request_limit_reached', {
        detail: `At most ${OPEN_MAX} requests of an enquiry may be open`,
      })
    }
    const request = requestOf(deps, enquiry, draft)
    const view = await viewRequest(deps, request, { listing, owner, customer })
    await deps.requests.commit([
      ...deps.once.receipt(view),
      ...deps.requests.insert(request),
      ...deps.enquiries.replace(enquiry, withOneMore(enquiry)),
      requestCreated({ newId: deps.newId, request, at: request.createdAt }),
      deps.quotas.count(DAILY, owner.id, deps.now()),
    ])
    return view
  })

function refuseOtherDates({ dueAt }: Draft, now: Date): void {
  if (!dueAt) return
  const due = new Date(dueAt)
  if (due <= now || due > secondsAfter(now, YEAR_SECONDS)) {
    throw invalidField('dueAt', 'must be in the future and within a year')
  }
}

async function enquiryAbout({ enquiries }: Deps, listing: Listing, draft: Draft): Promise<Enquiry> {
  const enquiry = await enquiries.get(draft.enquiryId)
  if (enquiry?.listingId !== listing.id)
    throw invalidField('enquiryId', 'must be an enquiry about the listing')
  if (draft.currency !== listing.price?.currency)
    throw invalidField('currency', 'must be the currency of the listing')
  return enquiry
}

/** Throws `listing_not_available` unless the listing is PUBLISHED and its owner in good standing. */
export function refuseUnavailable(listing: Listing, owner: Account | undefined, now: Date): void {
  if (listing.status === 'PUBLISHED' && owner && isInGoodStanding(owner, now)) return
  throw new DomainError('listing_not_available', {
    detail: 'The listing must be published, and its owner in good standing',
  })
}

function requestOf({ newId, now }: Deps, enquiry: Enquiry, draft: Draft): PaymentRequest {
  const { purpose, amount, currency, dueAt = null, note = null } = draft
  return {
    id: newId('paymentRequest'),
    listingId: enquiry.listingId,
    enquiryId: enquiry.id,
    customerId: enquiry.customerId,
    ownerId: enquiry.agentId,
    purpose,
    amount,
    currency,
    dueAt,
    note,
    status: 'OPEN',
    paymentId: null,
    further: [],
    underway: null,
    version: 1,
    createdAt: timestamp(now()),
  }
}

const withOneMore = (enquiry: Enquiry): Enquiry => ({
  ...enquiry,
  requests: { ...enquiry.requests, open: enquiry.requests.open + 1 },
  version: enquiry.version + 1,
})
