import type { AccountReader } from '#lib/accounts/account-store'
import type { SessionReader } from '#lib/accounts/sessions/session-store'
import type { EnquiryReader } from '#lib/enquiries/enquiry-store'
import type { EventLog } from '#lib/events/event-log'
import { settledEvent } from '#lib/events/list-events'
import type { JournalReader } from '#lib/journal/journal'
import type { Clock } from '#lib/kernel/clock'
import {
  ActionId,
  CallbackId,
  DocumentId,
  EnquiryId,
  EventId,
  type IdKind,
  kindOfId,
  ListingId,
  MediaId,
  MessageId,
  PaymentId,
  PaymentRequestId,
  PayoutId,
  RefundId,
  SessionId,
  UserId,
} from '#lib/kernel/id'
import type { KycReader } from '#lib/kyc/kyc-store'
import type { ListingReader } from '#lib/listings/listing-store'
import type { RequestReader } from '#lib/payment-requests/request-store'
import type { CallbackReader } from '#lib/payments/callbacks/callback-store'
import type { PaymentReader, References } from '#lib/payments/payment-store'
import type { PayoutReader } from '#lib/payouts/payout-store'
import {
  foundCallback,
  foundEnquiry,
  foundEvent,
  foundListing,
  foundPayment,
  foundPayout,
  foundUser,
  type SearchHit,
} from './found.ts'

/** `titled` and `ofReference` are for `search`, whose dependencies include these. */
export type FindDeps = {
  accounts: AccountReader
  sessions: SessionReader
  kycStore: KycReader
  listings: ListingReader
  enquiries: EnquiryReader
  payments: PaymentReader
  payouts: PayoutReader
  references: References
  requests: RequestReader
  callbacks: CallbackReader
  journal: JournalReader
  events: EventLog
  now: Clock
}

type Find = (deps: FindDeps, id: string) => Promise<SearchHit | undefined>

/** Finds the record with an id or, for a part such as a message, the record that holds it; undefined for any other text. */
export async function findById(deps: FindDeps, text: string): Promise<SearchHit | undefined> {
  const kind = kindOfId(text)
  return kind && FINDERS[kind]?.(deps, text)
}

/** Reads a record by its id and shows it. */
const shown =
  <Stored>(
    read: (deps: FindDeps, id: string) => Promise<Stored | undefined>,
    show: (record: Stored) => SearchHit,
  ): Find =>
  async (deps, id) => {
    const record = await read(deps, id)
    return record && show(record)
  }

/** Finds the record that a part belongs to. */
const through =
  (ownerOf: (deps: FindDeps, id: string) => Promise<string | null | undefined>): Find =>
  async (deps, id) => {
    const owner = await ownerOf(deps, id)
    return owner ? findById(deps, owner) : undefined
  }

const FINDERS: Partial<Record<IdKind, Find>> = {
  user: shown(({ accounts }, id) => accounts.get(UserId.parse(id)), foundUser),
  listing: shown(({ listings }, id) => listings.get(ListingId.parse(id)), foundListing),
  payout: shown(({ payouts }, id) => payouts.get(PayoutId.parse(id)), foundPayout),
  payment: shown(({ payments }, id) => payments.get(PaymentId.parse(id)), foundPayment),
  callback: shown(({ callbacks }, id) => callbacks.get(CallbackId.parse(id)), foundCallback),
  // An event is found once the list of events shows it, some seconds after it was announced.
  event: shown((deps, id) => settledEvent(deps, EventId.parse(id)), foundEvent),
  enquiry: async ({ enquiries, listings }, id) => {
    const enquiry = await enquiries.get(EnquiryId.parse(id))
    return enquiry && foundEnquiry(enquiry, await listings.get(enquiry.listingId))
  },
  media: shown(({ listings }, id) => listings.ofMedia(MediaId.parse(id)), foundListing),
  message: through(async ({ enquiries }, id) => (await enquiries.ofMessage(MessageId.parse(id)))?.id),
  document: through(({ kycStore }, id) => kycStore.ownerOf(DocumentId.parse(id))),
  refund: through(({ references }, id) => references.ofRefund(RefundId.parse(id))),
  paymentRequest: through(
    async ({ requests }, id) => (await requests.get(PaymentRequestId.parse(id)))?.enquiryId,
  ),
  session: through(async ({ sessions }, id) => (await sessions.get(SessionId.parse(id)))?.userId),
  action: through(async ({ journal }, id) => (await journal.get(ActionId.parse(id)))?.subject),
}
