/** One notice in one language. */
type Sentences = { title: string; text: string }

/** Sentences that name these values, each already written for the language. */
type Naming<Value extends ValueName> = (values: Record<Value, string>) => Sentences

/** Everything that sentences may name. `person` is the other side. */
export type ValueName = 'person' | 'listing' | 'amount' | 'receipt' | 'at' | 'until' | 'visit'

/** What people are told, notice by notice, in one language. */
export type NoticeWords = {
  identityVerified: Sentences
  identityRejected: Sentences
  identityExpired: Sentences
  identityExpiring: Naming<'until'>
  passwordChanged: Naming<'at'>
  passwordReset: Naming<'at'>
  emailChanged: Naming<'at'>
  emailRestored: Naming<'at'>
  signedInElsewhere: Naming<'at'>
  sessionReused: Naming<'at'>
  listingPublished: Naming<'listing'>
  listingRejected: Naming<'listing'>
  listingSuspended: Naming<'listing'>
  revisionPublished: Naming<'listing'>
  revisionRejected: Naming<'listing'>
  enquiryReceived: Naming<'person' | 'listing'>
  enquiryAnswered: Naming<'person' | 'listing'>
  visitSet: Naming<'person' | 'listing' | 'visit'>
  visitCancelled: Naming<'person' | 'listing'>
  listingTaken: Naming<'listing'>
  paymentSucceeded: Naming<'amount' | 'receipt'>
  refundStarted: Naming<'amount'>
  refundDone: Naming<'amount'>
  refundFailed: Naming<'amount'>
  paymentDisputed: Naming<'amount'>
  paymentChargedBack: Naming<'amount'>
  paymentReceived: Naming<'person' | 'amount' | 'listing'>
  requestPaid: Naming<'person' | 'amount' | 'listing'>
  receivedRefunded: Naming<'amount' | 'listing'>
  receivedDisputed: Naming<'amount' | 'listing'>
  receivedChargedBack: Naming<'amount' | 'listing'>
  paymentRequested: Naming<'person' | 'amount' | 'listing'>
  listingReportActed: Sentences
  enquiryReportActed: Sentences
}

/** Names a notice in every language, and in the table. */
export type NoticeName = keyof NoticeWords
