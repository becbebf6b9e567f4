import type { Account } from '#lib/accounts/account'
import type { AccountReader } from '#lib/accounts/account-store'
import type { Enquiry } from '#lib/enquiries/enquiry'
import type { EnquiryStore } from '#lib/enquiries/enquiry-store'
import { isThere } from '#lib/enquiries/enquiry-view'
import { type Clock, type Timestamp, timestamp } from '#lib/kernel/clock'
import type { NewId, PaymentRequestId } from '#lib/kernel/id'
import { retryConflicts } from '#lib/kernel/retry'
import type { Write } from '#lib/kernel/write'
import type { Listing } from '#lib/listings/listing'
import type { ListingReader } from '#lib/listings/listing-store'
import { isPayable } from './create-request.ts'
import { hasRoom, withOneMore } from './open-requests.ts'
import { expiryOf, type PaymentRequest } from './payment-request.ts'
import { remindersPast } from './reminders.ts'
import { requestCreated } from './request-events.ts'
import type { RequestStore } from './request-store.ts'
import { afterRepetition, nextDueOf, nextMakingOf, type Series } from './series.ts'

export type RepeatDeps = {
  requests: RequestStore
  enquiries: EnquiryStore
  listings: ListingReader
  accounts: AccountReader
  now: Clock
  newId: NewId
}

/** Makes every due repetition of a series, and skips those that cannot be made. Returns how many requests it made. */
export async function repeatSeries(deps: RepeatDeps, id: PaymentRequestId): Promise<number> {
  let made = 0
  for (;;) {
    const outcome = await retryConflicts(() => repeatOnce(deps, id))
    if (outcome === 'none') return made
    if (outcome === 'made') made += 1
  }
}

async function repeatOnce(deps: RepeatDeps, id: PaymentRequestId): Promise<'made' | 'skipped' | 'none'> {
  const series = await deps.requests.getSeries(id)
  const dueAt = series && nextDueOf(series)
  const makeAt = series && nextMakingOf(series)
  if (!series || !dueAt || !makeAt || makeAt > timestamp(deps.now())) return 'none'
  const [enquiry, listing, owner, customer] = await Promise.all([
    deps.enquiries.get(series.enquiryId),
    deps.listings.get(series.listingId),
    deps.accounts.get(series.ownerId),
    deps.accounts.get(series.customerId),
  ])
  if (!enquiry || !listing || isEnded(series, { listing, owner, customer })) {
    await deps.requests.commit(deps.requests.endSeries(series))
    return 'none'
  }
  const next = deps.requests.replaceSeries(series, afterRepetition(series))
  const request = requestOf(deps, series, dueAt)
  const isSkipped =
    !isPayable(listing, owner, deps.now()) || !hasRoom(enquiry) || expiryOf(request) <= timestamp(deps.now())
  const made = isSkipped ? [] : madeWrites(deps, enquiry, request)
  // Neither side may have been banned or erased meanwhile: its requests may have been cancelled already.
  const sides = [owner, customer].flatMap((side) => (side ? [deps.accounts.requireUnchanged(side)] : []))
  await deps.requests.commit([...next, ...made, ...sides])
  return isSkipped ? 'skipped' : 'made'
}

type Sides = { listing: Listing; owner: Account | undefined; customer: Account | undefined }

/** Whether a series ends: its listing is archived or priced in another currency, or a side is gone. */
const isEnded = ({ currency }: Series, { listing, owner, customer }: Sides): boolean =>
  listing.status === 'ARCHIVED' ||
  listing.price?.currency !== currency ||
  !isThere('agent', owner) ||
  !isThere('customer', customer)

const madeWrites = (
  { requests, enquiries, newId }: RepeatDeps,
  enquiry: Enquiry,
  request: PaymentRequest,
): Write[] => [
  ...requests.insert(request),
  ...enquiries.replace(enquiry, withOneMore(enquiry)),
  requestCreated({ newId, request, at: request.createdAt }),
]

function requestOf({ newId, now }: RepeatDeps, series: Series, dueAt: Timestamp): PaymentRequest {
  const { firstDueAt: _first, until, timeZone, next: _next, version: _version, id, ...terms } = series
  return {
    ...terms,
    id: newId('paymentRequest'),
    dueAt,
    repeats: { every: 'month', until, timeZone },
    seriesId: id,
    status: 'OPEN',
    paymentId: null,
    underway: {},
    unpaid: [],
    reminders: remindersPast(dueAt, now()),
    version: 1,
    createdAt: timestamp(now()),
  }
}
