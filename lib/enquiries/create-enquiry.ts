import type { Account } from '#lib/accounts/account'
import type { AccountReader } from '#lib/accounts/account-store'
import { rereadByRegistration } from '#lib/accounts/reread-caller'
import { beginAhead } from '#lib/kernel/begin-ahead'
import { type Clock, timestamp } from '#lib/kernel/clock'
import { DomainError, invalidField } from '#lib/kernel/domain-error'
import type { ListingId, NewId } from '#lib/kernel/id'
import type { Once } from '#lib/kernel/once'
import type { Quotas } from '#lib/kernel/quota'
import { retryConflicts } from '#lib/kernel/retry'
import type { Write } from '#lib/kernel/write'
import type { Listing } from '#lib/listings/listing'
import type { ListingReader } from '#lib/listings/listing-store'
import { getListing } from '#lib/listings/read-listing'
import type { StatisticsStore } from '#lib/listings/statistics/statistics'
import type { PublicMediaLinks } from '#lib/media/store/media-links'
import { type Enquiry, enquiryIdOf, type Message, type NewEnquiry } from './enquiry.ts'
import { announceEnquiry, announceReply } from './enquiry-events.ts'
import type { EnquiryStore } from './enquiry-store.ts'
import { type EnquiryView, viewEnquiry } from './enquiry-view.ts'
import { countMessage } from './limits.ts'
import { refuseErased } from './own-enquiry.ts'
import { withMessage } from './send-message.ts'

type Deps = {
  enquiries: EnquiryStore
  listings: ListingReader
  accounts: AccountReader
  links: PublicMediaLinks
  quotas: Quotas
  statistics: StatisticsStore
  once: Once<CreatedEnquiry>
  now: Clock
  newId: NewId
}

/** The result of a question: a new enquiry, or the one that the customer already had about the listing. */
export type CreatedEnquiry = { isNew: boolean; enquiry: EnquiryView }

/**
 * Asks the agent of a public listing. A customer has one enquiry for each listing: a further question joins it,
 * replaces telephone number and visit times where given, and opens it again. Throws `not_found` for a listing that is
 * not public, `own_listing`, and `too_many_requests`.
 */
export async function createEnquiry(
  deps: Deps,
  customer: Account,
  listingId: ListingId,
  question: NewEnquiry,
): Promise<CreatedEnquiry> {
  const created = await retryConflicts(async (isRetry) => {
    const account = isRetry ? await rereadByRegistration(deps, customer) : customer
    return ask(deps, account, listingId, question)
  })
  // The enquiry is stored already. If closing it fails, it stays open until its agent closes it.
  if (created.isNew) await closeIfTaken(deps, listingId, created.enquiry.id).catch(() => undefined)
  return created
}

async function ask(
  deps: Deps,
  customer: Account,
  listingId: ListingId,
  question: NewEnquiry,
): Promise<CreatedEnquiry> {
  refusePastVisits(question, deps.now())
  // `findExisting` reads only the end of an id, which depends on listing and customer alone: a further question finds the
  // enquiry of the first. The enquiry and the listing are read at once.
  const id = enquiryIdOf(deps.newId, listingId, customer.id)
  const reading = beginAhead(deps.enquiries.findExisting(id))
  const { listing, owner } = await askableListing(deps, customer, listingId)
  const existing = await reading
  const { enquiry, writes } = existing
    ? furtherQuestion(deps, existing, question)
    : newEnquiry(deps, { id, listing, customer }, question)
  const people = { customer, agent: owner }
  const view = await viewEnquiry(deps, enquiry, listing, people, 'customer')
  const created = { isNew: !existing, enquiry: view }
  await deps.enquiries.commit([
    ...deps.once.receipt(created),
    ...writes,
    ...countMessage(deps.quotas, customer.id, deps.now(), { isFirst: created.isNew }),
  ])
  return created
}

/** Closes a new enquiry whose listing became TAKEN at the same time: `closeTaken` may have missed it. */
async function closeIfTaken(
  { listings, enquiries }: Deps,
  listingId: ListingId,
  id: Enquiry['id'],
): Promise<void> {
  if ((await listings.get(listingId))?.availability !== 'TAKEN') return
  const enquiry = await enquiries.get(id)
  // At a later version somebody has written or changed something since.
  if (enquiry?.version !== 1) return
  await enquiries.commit(enquiries.replace(enquiry, { ...enquiry, status: 'CLOSED', version: 2 }))
}

async function askableListing(deps: Deps, { id: userId }: Account, listingId: ListingId) {
  const found = await getListing(deps, { kind: 'user', userId }, listingId)
  if (found.viewer === 'owner') throw new DomainError('own_listing')
  return found
}

type Change = { enquiry: Enquiry; writes: Write[] }

function newEnquiry(
  { enquiries, accounts, statistics, newId, now }: Deps,
  { id, listing, customer }: { id: Enquiry['id']; listing: Listing; customer: Account },
  { message: text, phone, visitAt }: NewEnquiry,
): Change {
  const at = timestamp(now())
  // The number of messages that each side has sent. A message holds the number at its own time.
  const sent = { customer: 1, agent: 0 }
  const message: Message = { id: newId('message'), from: 'customer', text, at, sent }
  const enquiry: Enquiry = {
    id,
    listingId: listing.id,
    customerId: customer.id,
    agentId: listing.agentId,
    status: 'NEW',
    phone: phone ?? null,
    visitAt: visitAt ?? [],
    visit: null,
    sent,
    read: { customer: 0, agent: 0 },
    answeredAt: null,
    lastMessageId: message.id,
    lastMessageAt: at,
    requests: { open: 0, paid: 0 },
    reports: { customer: null, agent: null },
    erased: { customer: false, agent: false },
    closedBy: null,
    version: 1,
    createdAt: at,
  }
  const writes = [
    ...enquiries.insert(enquiry, message),
    // A further question needs no such check: the erasure changes the enquiry, which `replace` then refuses.
    accounts.requireUnchanged(customer),
    announceEnquiry(newId, enquiry, message),
    // The customer's id only chooses a shard of the counter.
    statistics.count(listing.id, 'enquiries', at, customer.id),
  ]
  return { enquiry, writes }
}

function furtherQuestion({ enquiries, newId, now }: Deps, seen: Enquiry, question: NewEnquiry): Change {
  refuseErased(seen, 'customer')
  const { next, message } = withMessage(seen, 'customer', question.message, { newId, now })
  const enquiry = {
    ...next,
    phone: question.phone ?? seen.phone,
    visitAt: question.visitAt ?? seen.visitAt,
  }
  const writes = [
    ...enquiries.replace(seen, enquiry),
    enquiries.insertMessage(enquiry.id, message),
    announceReply(newId, enquiry, message),
  ]
  return { enquiry, writes }
}

/** Refuses a question that proposes a visit in the past; throws `validation_failed` about the first such time. */
function refusePastVisits({ visitAt }: NewEnquiry, now: Date): void {
  const past = (visitAt ?? []).findIndex((at) => Date.parse(at) <= now.getTime())
  if (past !== -1) throw invalidField(`visitAt[${past}]`, 'must be in the future')
}
