import type { AccountStore } from '#lib/accounts/account-store'
import type { MailedLinks } from '#lib/accounts/mailed-links/mailed-link'
import type { SessionEraser } from '#lib/accounts/sessions/session-store'
import type { EnquiryStore } from '#lib/enquiries/enquiry-store'
import { eraseEnquiries } from '#lib/enquiries/erase-enquiries'
import { eraseFavourites } from '#lib/favourites/erase-favourites'
import type { FavouriteStore } from '#lib/favourites/favourite'
import type { JournalReader } from '#lib/journal/journal'
import { type Clock, timestamp } from '#lib/kernel/clock'
import type { NewId, UserId } from '#lib/kernel/id'
import type { DocumentFiles } from '#lib/kyc/document-files'
import type { KycStore } from '#lib/kyc/kyc-store'
import type { ListingStore } from '#lib/listings/listing-store'
import { dropMails } from '#lib/mail/drop-mails'
import type { MailQueue } from '#lib/mail/mail-request'
import type { SuppressionList } from '#lib/mail/suppression'
import type { NotificationStore } from '#lib/notifications/notification'
import { eraseRequests } from '#lib/payment-requests/cancel-all'
import type { HoldStore } from '#lib/payment-requests/holds/hold-store'
import type { RequestStore } from '#lib/payment-requests/request-store'
import type { CallbackStore } from '#lib/payments/callbacks/callback-store'
import type { ChangeDeps } from '#lib/payments/change/change-payment'
import { cancelOnListings } from '#lib/payments/payers/cancel-pending'
import { erasePayer } from '#lib/payments/payers/erase-payer'
import type { PaymentStore } from '#lib/payments/payment-store'
import type { ReportStore } from '#lib/reports/report'
import { eraseSavedSearches } from '#lib/saved-searches/erase-saved-searches'
import type { MatchStore, SavedSearchStore } from '#lib/saved-searches/saved-search'
import { archiveListings } from './archive-listings.ts'
import type { Deletion, Deletions } from './deletion.ts'
import type { ExportFiles } from './export-files.ts'
import { type AnswerStore, redactAnswers } from './redact-answers.ts'

/** The dependencies of an erasure. */
export type EraseDeps = Pick<ChangeDeps, 'bookChange' | 'followChange'> & {
  accounts: AccountStore
  sessions: SessionEraser
  listings: ListingStore
  enquiries: EnquiryStore
  requests: RequestStore
  holds: HoldStore
  payments: PaymentStore
  kycStore: KycStore
  notifications: NotificationStore
  reports: ReportStore
  favourites: FavouriteStore
  searches: SavedSearchStore
  matches: MatchStore
  journal: JournalReader
  deletions: Deletions
  files: Pick<DocumentFiles, 'removeAll'>
  exports: Pick<ExportFiles, 'removeAll'>
  /** The answers that are stored for repeated requests. */
  answers: AnswerStore & { forget: (userId: UserId) => Promise<void> }
  /** Callbacks and answers of providers. */
  callbacks: CallbackStore
  mail: {
    queue: MailQueue
    mailedLinks: MailedLinks
    suppressions: SuppressionList
  }
  now: Clock
  newId: NewId
}

/**
 * Erases the rest of a deleted account: sessions, documents and their bytes, exports, stored answers, notifications,
 * favourites, saved searches and unsent mails. Erases words in enquiries, payment requests and reports, data of the payer in
 * payments and callbacks, and names in other people's stored answers. Listings are archived without exact place, description
 * and media, and PENDING payments on them cancelled. Decisions, the record of links to documents, history and payments stay
 * under the id, which has no name any more. Safe to repeat.
 */
export async function eraseAccount(
  deps: EraseDeps,
  { userId, email }: Pick<Deletion, 'userId' | 'email'>,
): Promise<void> {
  await archiveListings(deps, userId, 'owner_deleted')
  // Payments first: a payment request can be cancelled once no payment of it is under way.
  await cancelOnListings(deps, userId)
  await eraseRequests(deps, userId)
  await eraseEnquiries(deps, userId)
  await deps.notifications.close(userId)
  for (const report of await deps.reports.byUser(userId)) {
    await deps.reports.commit([deps.reports.anonymize(report)])
  }
  await eraseFavourites(deps, userId)
  await eraseSavedSearches(deps, userId)
  await deps.files.removeAll(userId)
  await deps.exports.removeAll(userId)
  await deps.answers.forget(userId)
  const documents = [
    ...(await deps.kycStore.listDocuments(userId)),
    ...(await deps.kycStore.listWithdrawn(userId)),
  ]
  for (const document of documents) {
    await deps.kycStore.commit([deps.kycStore.removeDocument(userId, document)])
  }
  await erasePayer(deps, userId)
  await redactAnswers(deps, userId)
  await dropMails(
    { mails: deps.mail.queue, suppressions: deps.mail.suppressions, now: deps.now },
    { userId, email },
  )
  await deps.mail.mailedLinks.removeAll(userId)
  await deps.sessions.removeAll(userId)
  await deps.accounts.commit([deps.deletions.markErased(userId, timestamp(deps.now()))])
}
