import type { Schema } from '../api/schemas.ts'
import type { Tone } from './text.tsx'

type Code =
  | Schema<'KycStatus'>
  | Schema<'ListingStatus'>
  | Schema<'PaymentStatus'>
  | Schema<'CallbackStatus'>
  | Schema<'AccountStatus'>
  | Schema<'PayoutStatus'>
  | Schema<'WebhookStatus'>
  | Schema<'Dispute'>['state']
  | Schema<'Charge'>['state']

const TONES: Record<Code, Tone> = {
  UNVERIFIED: 'quiet',
  PENDING: 'busy',
  VERIFIED: 'good',
  REJECTED: 'bad',
  EXPIRED: 'quiet',
  DRAFT: 'quiet',
  PENDING_REVIEW: 'busy',
  PUBLISHED: 'good',
  SUSPENDED: 'warn',
  ARCHIVED: 'quiet',
  AWAITING_APPROVAL: 'warn',
  PAID: 'good',
  PROCESSING: 'busy',
  SUCCEEDED: 'good',
  FAILED: 'bad',
  CANCELLED: 'quiet',
  PARTIALLY_REFUNDED: 'warn',
  REFUNDED: 'quiet',
  DISPUTED: 'warn',
  CHARGED_BACK: 'bad',
  PROCESSED: 'good',
  IGNORED: 'quiet',
  UNMATCHED: 'warn',
  MISMATCHED: 'warn',
  CONFLICT: 'bad',
  ACTIVE: 'good',
  BANNED: 'bad',
  DISABLED: 'quiet',
  COUNTS: 'good',
  SECOND: 'warn',
  UNASKED: 'warn',
  TAKEN_BACK: 'quiet',
  INQUIRY: 'warn',
  OPEN: 'warn',
  WON: 'good',
  LOST: 'bad',
}

/** Returns the tone of a status. */
export const toneOf = (code: Code): Tone => TONES[code]
