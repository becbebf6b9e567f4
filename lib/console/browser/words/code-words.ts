import type { RefusalCode } from '../api/refusal.ts'
import type { Schema } from '../api/schemas.ts'

/** Words for every code that the API answers: a code that the document gains does not compile until it has words. */
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
  listingField: Record<string, string>
  /** A problem without words here shows the `detail` that the API answers. */
  problem: Partial<Record<RefusalCode, string>>
}
