import type { EnquiryId, ListingId, MessageId, UserId } from '#lib/kernel/id'
import type { Page } from '#lib/kernel/page'
import type { Commit, Write } from '#lib/kernel/write'
import type { Enquiry, Message, Side } from './enquiry.ts'

/** Where a page of a list begins and how long it is. */
type Span<Position> = { limit: number; after: Position | undefined }

/** Where enquiries and their messages are stored. Reads are consistent; writes are values for `commit`. */
export type EnquiryStore = {
  get: (id: EnquiryId) => Promise<Enquiry | undefined>
  /**
   * Returns the stored enquiry of the listing and customer from which `enquiryIdOf` made an id. The stored enquiry's own id
   * may begin with an earlier time.
   */
  findExisting: (id: EnquiryId) => Promise<Enquiry | undefined>
  /** Messages of an enquiry, newest first: one query. */
  messages: (id: EnquiryId, span: Span<MessageId>) => Promise<Page<Message, MessageId>>
  /** The enquiry that a message is part of. A message sent within the last second may not be found. */
  ofMessage: (messageId: MessageId) => Promise<Enquiry | undefined>
  message: (id: EnquiryId, messageId: MessageId) => Promise<Message | undefined>
  /**
   * Enquiries that a user received as an agent or sent as a customer, newest message first: one query and one read.
   * The sequence may be a second behind; the enquiries are current. `position` is that of the enquiry in the list.
   */
  ofUser: (
    userId: UserId,
    side: Side,
    span: Span<string>,
  ) => Promise<Page<{ enquiry: Enquiry; position: string }, string>>
  /** Counts the enquiries that a user sent and received, each up to `limit`: two queries. */
  countOf: (userId: UserId, limit: number) => Promise<number>
  /** All enquiries about a listing, oldest first: one query and one read. */
  ofListing: (listingId: ListingId, span: Span<EnquiryId>) => Promise<Page<Enquiry, EnquiryId>>
  /** Enquiries with open reports, longest waiting first: one query for each shard of the list, and one read. */
  reported: (span: Span<string>) => Promise<Page<Enquiry, string>>
  /** Stores a new enquiry and its first message; a `WriteConflict` if the customer has an enquiry about the listing. */
  insert: (enquiry: Enquiry, first: Message) => Write[]
  /** Replaces an enquiry; a `WriteConflict` if its version is not the seen one. */
  replace: (seen: Enquiry, next: Enquiry) => Write[]
  /** Changes how many payment requests of an enquiry are open, and how many were paid. */
  countRequests: (id: EnquiryId, by: Partial<Enquiry['requests']>) => Write
  /** Removes an enquiry, but not its messages; a `WriteConflict` if its version is not the seen one. */
  remove: (seen: Enquiry) => Write[]
  removeMessage: (id: EnquiryId, messageId: MessageId) => Write
  insertMessage: (id: EnquiryId, message: Message) => Write
  /** Removes the text of a message; the message stays. */
  eraseMessage: (id: EnquiryId, messageId: MessageId) => Write
  commit: Commit
}

export type EnquiryReader = Pick<
  EnquiryStore,
  | 'findExisting'
  | 'get'
  | 'ofMessage'
  | 'messages'
  | 'message'
  | 'ofUser'
  | 'countOf'
  | 'ofListing'
  | 'reported'
>
