import type { AccountStore } from '#lib/accounts/account-store'
import type { SessionStore } from '#lib/accounts/sessions/session-store'
import type { EnquiryStore } from '#lib/enquiries/enquiry-store'
import type { EventLog } from '#lib/events/event-log'
import { settledEvent } from '#lib/events/list-events'
import type { Journal } from '#lib/journal/journal'
import type { Clock } from '#lib/kernel/clock'
import {
  ActionId,
  DocumentId,
  EnquiryId,
  EventId,
  type IdKind,
  kindOfId,
  ListingId,
  MediaId,
  MessageId,
  NotificationId,
  PaymentId,
  PaymentRequestId,
  RefundId,
  SessionId,
  UserId,
} from '#lib/kernel/id'
import type { KycRecords } from '#lib/kyc/kyc-records'
import type { ListingStore } from '#lib/listings/listing-store'
import type { Inbox } from '#lib/payments/callbacks/inbox'
import type { PaymentStore } from '#lib/payments/payment-store'
import type { References } from '#lib/payments/references/references'
import type { RequestStore } from '#lib/payments/requests/request-store'
import {
  type Found,
  foundEnquiry,
  foundEvent,
  foundListing,
  foundNotification,
  foundPayment,
  foundUser,
} from './found.ts'

export type FindDeps = {
  accounts: Pick<AccountStore, 'get'>
  sessions: Pick<SessionStore, 'get'>
  records: Pick<KycRecords, 'ownerOf'>
  listings: Pick<ListingStore, 'get' | 'ofMedia'>
  enquiries: Pick<EnquiryStore, 'get' | 'ofMessage'>
  payments: Pick<PaymentStore, 'get'>
  references: References
  requests: Pick<RequestStore, 'get'>
  inbox: Pick<Inbox, 'get'>
  journal: Pick<Journal, 'get'>
  events: Pick<EventLog, 'get'>
  now: Clock
}

type Find = (deps: FindDeps, id: string) => Promise<Found | undefined>

/** Finds the record with an id, or the record that the part with that id belongs to; undefined for any other text. */
export async function findById(deps: FindDeps, text: string): Promise<Found | undefined> {
  const kind = kindOfId(text)
  return kind && FINDERS[kind]?.(deps, text)
}

/** Reads a record by its id and shows it. */
const shown =
  <Stored>(
    read: (deps: FindDeps, id: string) => Promise<Stored | undefined>,
    show: (record: Stored) => Found,
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

/** The inbox finds a notification by the last part of its id: the rest must be the same, too. */
async function notificationOf({ inbox }: FindDeps, text: string) {
  const id = NotificationId.parse(text)
  const notification = await inbox.get(id)
  return notification?.id === id ? notification : undefined
}

const FINDERS: Partial<Record<IdKind, Find>> = {
  user: shown(({ accounts }, id) => accounts.get(UserId.parse(id)), foundUser),
  listing: shown(({ listings }, id) => listings.get(ListingId.parse(id)), foundListing),
  payment: shown(({ payments }, id) => payments.get(PaymentId.parse(id)), foundPayment),
  notification: shown(notificationOf, foundNotification),
  event: shown((deps, id) => settledEvent(deps, EventId.parse(id)), foundEvent),
  enquiry: async ({ enquiries, listings }, id) => {
    const enquiry = await enquiries.get(EnquiryId.parse(id))
    return enquiry && foundEnquiry(enquiry, await listings.get(enquiry.listingId))
  },
  media: shown(({ listings }, id) => listings.ofMedia(MediaId.parse(id)), foundListing),
  message: through(async ({ enquiries }, id) => (await enquiries.ofMessage(MessageId.parse(id)))?.id),
  document: through(({ records }, id) => records.ownerOf(DocumentId.parse(id))),
  refund: through(({ references }, id) => references.ofRefund(RefundId.parse(id))),
  paymentRequest: through(
    async ({ requests }, id) => (await requests.get(PaymentRequestId.parse(id)))?.enquiryId,
  ),
  session: through(async ({ sessions }, id) => (await sessions.get(SessionId.parse(id)))?.userId),
  action: through(async ({ journal }, id) => (await journal.get(ActionId.parse(id)))?.subject),
}
