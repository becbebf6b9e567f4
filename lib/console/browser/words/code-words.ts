import type { ListingFields } from '#lib/listings/fields'
import type { NotificationName } from '#lib/notifications/recipients'
import type { RefusalCode } from '../api/refusal.ts'
import type { Schema } from '../api/schemas.ts'

/** Words for every code of the API. A new code of the OpenAPI document does not compile until it has words. */
export type CodeWords = {
  kycStatus: Record<Schema<'KycStatus'>, string>
  listingStatus: Record<Schema<'ListingStatus'>, string>
  availability: Record<Schema<'Availability'>, string>
  paymentStatus: Record<Schema<'PaymentStatus'>, string>
  accountStatus: Record<Schema<'AccountStatus'>, string>
  payoutStatus: Record<Schema<'PayoutStatus'>, string>
  callbackStatus: Record<Schema<'CallbackStatus'>, string>
  refundStatus: Record<Schema<'Refund'>['status'], string>
  chargeState: Record<Schema<'Charge'>['state'], string>
  disputeState: Record<Schema<'Dispute'>['state'], string>
  webhookStatus: Record<Schema<'WebhookStatus'>, string>
  enquiryStatus: Record<Schema<'EnquiryStatus'>, string>
  outcome: Record<Schema<'ReportOutcome'>, string>
  purpose: Record<Schema<'PaymentPurpose'>, string>
  documentType: Record<Schema<'KycDocumentType'>, string>
  category: Record<Schema<'Category'>, string>
  offer: Record<Schema<'Offer'>, string>
  enquiryReason: Record<Schema<'EnquiryReportReason'>, string>
  language: Record<Schema<'Locale'>, string>
  action: Record<Schema<'ActionName'>, string>
}

/** Words for what goes wrong, and the names of fields. */
export type AdviceWords = {
  attention: Record<Schema<'AttentionCode'>, { title: string; advice: string }>
  deliveryError: Record<NonNullable<Schema<'Delivery'>['error']>, string>
  listingField: Record<keyof ListingFields, string> & Record<string, string>
  /** A problem without words here shows the API's `detail`. */
  problem: Partial<Record<RefusalCode, string>>
  /** The fault of a field that the API refused, by its path. */
  fault: Record<string, string>
}

/** Words for events, for mails about them, and for their facts. */
export type HappeningWords = {
  event: Record<Schema<'DomainEvent'>['type'], string>
  mail: Record<NotificationName, string> & Record<string, string>
  reportReason: Record<Schema<'ModerationReason'>, string>
  /** The names of facts; a name without words here is shown as it is. */
  detail: Record<string, string>
  /** Words for the codes in facts that are in no other list. */
  otherCode: Record<string, string>
  account: Record<'agents' | 'platform' | 'fees' | 'commission', string> &
    Record<'provider' | 'overpaid' | 'suspense' | 'payouts', (name: string) => string>
  /** The kinds of postings, by the first word of their reason. */
  posting: Record<string, string>
}
