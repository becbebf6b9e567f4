import type { EnquiryReader } from '#lib/enquiries/enquiry-store'
import type { JournalReader } from '#lib/journal/journal'
import { type Clock, DAY_SECONDS, secondsAfter, timestamp } from '#lib/kernel/clock'
import { type ActionId, administratorId, type ListingId, type UserId } from '#lib/kernel/id'
import { allPages, PAGE_SIZE } from '#lib/kernel/page'
import { inParallel } from '#lib/kernel/parallel'
import type { ListingReader } from '#lib/listings/listing-store'
import type { RequestReader } from '#lib/payment-requests/request-store'
import { requestsOf } from '#lib/payment-requests/requests-of'
import { paymentsOnListingsOf } from '#lib/payments/payers/open-payments'
import type { PaymentReader } from '#lib/payments/payment-store'

/** How long an answer is stored under an `Idempotency-Key`. */
const KEPT_SECONDS = DAY_SECONDS

/** The answers that are stored for repeated requests. */
export type AnswerStore = {
  /** Replaces a person by null in every stored answer of a caller. Safe to repeat. */
  redact: (caller: string, person: UserId) => Promise<void>
}

type Deps = {
  enquiries: EnquiryReader
  requests: RequestReader
  payments: PaymentReader
  listings: ListingReader
  journal: JournalReader
  answers: AnswerStore
  now: Clock
}

/**
 * Replaces a deleted person by null in the stored answers of others: of everyone who had an enquiry or a payment with the
 * person, and of administrators who decided about the person or a listing, within the time for which answers are stored.
 */
export async function redactAnswers(deps: Deps, person: UserId): Promise<void> {
  const from = secondsAfter(deps.now(), -KEPT_SECONDS)
  const since = timestamp(from)
  const [administrators, asCustomer, asAgent, requests, payments] = await Promise.all([
    administratorsOf(deps, person, from),
    enquiriesOf(deps, person, 'customer'),
    enquiriesOf(deps, person, 'agent'),
    requestsOf(deps, person),
    paymentsOnListingsOf(deps.payments, person),
  ])
  const enquiries = [...asCustomer, ...asAgent].filter(({ lastMessageAt }) => lastMessageAt >= since)
  const isRecent = ({ createdAt }: { createdAt: string }) => createdAt >= since
  const others = [
    ...administrators,
    ...enquiries.flatMap(({ customerId, agentId }) => [customerId, agentId]),
    ...requests.filter(isRecent).flatMap(({ customerId, ownerId }) => [customerId, ownerId]),
    ...payments.filter(isRecent).map(({ userId }) => userId),
  ].filter((other) => other !== person)
  await inParallel([...new Set(others)], (other) => deps.answers.redact(other, person))
}

/** Returns, as callers, the administrators who acted on the person or a listing since a time. */
async function administratorsOf({ listings, journal }: Deps, person: UserId, from: Date): Promise<string[]> {
  const owned = await allPages((after: ListingId | undefined) =>
    listings.byAgent(person, { limit: PAGE_SIZE, after }),
  )
  const actionsOn = (subject: string) =>
    allPages((after: ActionId | undefined) =>
      journal.list({ subject, by: undefined, from, to: undefined }, { limit: PAGE_SIZE, after }),
    )
  const actions = await inParallel([person, ...owned.map(({ id }) => id)], actionsOn)
  return actions.flat().map(({ by }) => administratorId(by))
}

const enquiriesOf = async ({ enquiries }: Deps, person: UserId, side: 'customer' | 'agent') => {
  const found = await allPages((after: string | undefined) =>
    enquiries.ofUser(person, side, { limit: PAGE_SIZE, after }),
  )
  return found.map(({ enquiry }) => enquiry)
}
