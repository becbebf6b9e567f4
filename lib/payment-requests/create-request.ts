import * as z from 'zod'
import { type Account, isEligibleToPublish } from '#lib/accounts/account'
import type { AccountReader } from '#lib/accounts/account-store'
import type { Enquiry } from '#lib/enquiries/enquiry'
import type { EnquiryStore } from '#lib/enquiries/enquiry-store'
import { isThere } from '#lib/enquiries/enquiry-view'
import { beginAhead } from '#lib/kernel/begin-ahead'
import { type Clock, DAY_SECONDS, Moment, secondsAfter, timestamp } from '#lib/kernel/clock'
import { DomainError, invalidField } from '#lib/kernel/domain-error'
import { EnquiryId, type ListingId, type NewId } from '#lib/kernel/id'
import { Amount, Currency } from '#lib/kernel/money'
import type { Once } from '#lib/kernel/once'
import type { Quota, Quotas } from '#lib/kernel/quota'
import { retryConflicts } from '#lib/kernel/retry'
import { text } from '#lib/kernel/text'
import type { Listing } from '#lib/listings/listing'
import type { ListingReader } from '#lib/listings/listing-store'
import { getOwnListing } from '#lib/listings/read-listing'
import type { PublicMediaLinks } from '#lib/media/store/media-links'
import { Purpose } from '#lib/payments/state/payment'
import { hasRoom, OPEN_MAX, withOneMore } from './open-requests.ts'
import type { PaymentRequest } from './payment-request.ts'
import { remindersPast } from './reminders.ts'
import { requestCreated } from './request-events.ts'
import type { RequestStore } from './request-store.ts'
import { type PaymentRequestView, viewRequest } from './request-view.ts'
import { isTimeZone, monthsAfter, SERIES_MONTHS_MAX } from './series.ts'

const TimeZone = z
  .string()
  .max(60)
  .refine((name) => isTimeZone(name), 'must be an IANA name of a time zone, such as Africa/Abidjan')

export const PaymentRequestDraft = z.object({
  enquiryId: EnquiryId,
  purpose: Purpose,
  amount: Amount,
  currency: Currency.nullish().meta({ description: 'The currency of the listing' }),
  dueAt: Moment.nullish(),
  note: text({ max: 1000 }).nullish(),
  repeats: z
    .object({
      every: z.literal('month'),
      until: Moment.nullish().meta({ description: 'Included; five years after `dueAt` unless given' }),
      timeZone: TimeZone.nullish().meta({
        description:
          'An IANA name: the day of the month and the time of day stay the same there. `UTC` by default',
        example: 'Africa/Abidjan',
      }),
    })
    .nullish()
    .meta({ description: 'For `rent` and `fee`, with `dueAt`' }),
})
type Draft = z.infer<typeof PaymentRequestDraft>

const YEAR_SECONDS = 365 * DAY_SECONDS
const DAILY: Quota = { policy: 'payment-requests', limit: 50, windowSeconds: DAY_SECONDS }

type Deps = {
  requests: RequestStore
  enquiries: EnquiryStore
  listings: ListingReader
  accounts: AccountReader
  links: PublicMediaLinks
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
  caller: Account,
  listingId: ListingId,
  draft: Draft,
): Promise<PaymentRequestView> =>
  retryConflicts(async () => {
    refuseWrongDates(draft, deps.now())
    refuseWrongRepetition(draft)
    const enquiryRead = beginAhead(deps.enquiries.get(draft.enquiryId))
    const { listing, owner } = await getOwnListing(deps, { kind: 'user', userId: caller.id }, listingId)
    const enquiry = enquiryAbout(listing, await enquiryRead, draft)
    const customer = await deps.accounts.get(enquiry.customerId)
    if (!isThere('customer', customer)) throw new DomainError('other_side_gone')
    refuseUnavailable(listing, owner, deps.now())
    if (!hasRoom(enquiry)) {
      throw new DomainError('open_request_limit_reached', {
        detail: `At most ${OPEN_MAX} requests of an enquiry may be open`,
      })
    }
    const request = requestOf(deps, enquiry, draft, listing)
    const view = await viewRequest(deps, request, { listing, owner, customer })
    await deps.requests.commit([
      ...deps.once.receipt(view),
      ...deps.requests.insert(request),
      ...deps.enquiries.replace(enquiry, withOneMore(enquiry)),
      requestCreated({ newId: deps.newId, request, at: request.createdAt }),
      deps.quotas.count(DAILY, caller.id, deps.now()),
      // Neither side may have been banned or erased meanwhile: its requests may have been cancelled already.
      deps.accounts.requireUnchanged(owner),
      deps.accounts.requireUnchanged(customer),
    ])
    return view
  })

function refuseWrongDates({ dueAt }: Draft, now: Date): void {
  if (!dueAt) return
  const due = new Date(dueAt)
  if (due <= now || due > secondsAfter(now, YEAR_SECONDS)) {
    throw invalidField('dueAt', 'must be in the future and within a year')
  }
}

function refuseWrongRepetition({ repeats, purpose, dueAt }: Draft): void {
  if (!repeats) return
  if (purpose !== 'rent' && purpose !== 'fee') throw invalidField('repeats', 'must be of a rent or a fee')
  if (!dueAt) throw invalidField('dueAt', 'must be given for what repeats')
  const { until } = repeats
  const timeZone = repeats.timeZone ?? 'UTC'
  if (until && (until <= dueAt || until > monthsAfter(dueAt, SERIES_MONTHS_MAX, timeZone))) {
    throw invalidField('repeats.until', 'must be after dueAt, and within five years of it')
  }
}

/** Returns the enquiry of a draft. Throws `validation_failed` for one of another listing, and for another currency. */
function enquiryAbout(listing: Listing, enquiry: Enquiry | undefined, draft: Draft): Enquiry {
  if (enquiry?.listingId !== listing.id)
    throw invalidField('enquiryId', 'must be an enquiry about the listing')
  if (draft.currency && draft.currency !== listing.price?.currency)
    throw invalidField('currency', 'must be the currency of the listing')
  return enquiry
}

/** Whether a listing may be paid for: it is PUBLISHED, with any availability, and its owner is eligible to publish. */
export const isPayable = (listing: Listing, owner: Account | undefined, now: Date): owner is Account =>
  listing.status === 'PUBLISHED' && owner !== undefined && isEligibleToPublish(owner, now)

/** Throws `listing_not_available` unless the listing is PUBLISHED and its owner eligible to publish. */
export function refuseUnavailable(
  listing: Listing,
  owner: Account | undefined,
  now: Date,
): asserts owner is Account {
  if (isPayable(listing, owner, now)) return
  throw new DomainError('listing_not_available', {
    detail: 'The listing must be published, and its owner eligible to publish',
  })
}

function requestOf(
  { newId, now }: Deps,
  enquiry: Enquiry,
  { purpose, amount, dueAt = null, note = null, repeats }: Draft,
  { price }: Listing,
): PaymentRequest {
  const id = newId('paymentRequest')
  if (!price) throw new DomainError('listing_not_available')
  const timeZone = repeats?.timeZone ?? 'UTC'
  const until = dueAt && (repeats?.until ?? monthsAfter(dueAt, SERIES_MONTHS_MAX, timeZone))
  return {
    id,
    listingId: enquiry.listingId,
    enquiryId: enquiry.id,
    customerId: enquiry.customerId,
    ownerId: enquiry.agentId,
    purpose,
    amount,
    currency: price.currency,
    dueAt,
    note,
    repeats: repeats && until ? { every: repeats.every, until, timeZone } : null,
    seriesId: repeats ? id : null,
    status: 'OPEN',
    paymentId: null,
    underway: {},
    unpaid: [],
    reminders: remindersPast(dueAt, now()),
    version: 1,
    createdAt: timestamp(now()),
  }
}
