import type * as z from 'zod'
import type { KycReason } from '#lib/accounts/kyc-state'
import type { ModerationReason } from '#lib/listings/listing'
import type { Purpose } from '#lib/payments/state/payment'

/** A line in the table of a mail. `NotificationFacts` says which times `at`, `until` and `dueAt` are. */
export type Label =
  | 'amount'
  | 'purpose'
  | 'listing'
  | 'payee'
  | 'payer'
  | 'at'
  | 'until'
  | 'dueAt'
  | 'browser'
  | 'network'

/** One language's words for codes, labels and links, and for people and things without a name. */
export type CodeWords = {
  /** A person whose account is deleted; the word begins a sentence. */
  someone: string
  /** A listing that is gone, or that has no title. */
  aListing: string
  /** A saved search that is gone. */
  aSearch: string
  /** The mail of a day's changes to favourites. */
  digest: { title: string; text: string }
  /** Puts a person's own words in quotes, so that they are not read as the service's. */
  quoted: (words: string) => string
  labels: Record<Label, string>
  /** The text of a mail's button, by the page that it opens. */
  actions: Record<'listing' | 'enquiry' | 'request', string>
  /** The texts of a receipt beyond the labels. */
  receipt: Record<'title' | 'number' | 'refunded' | 'provider', string>
  purposes: Record<z.infer<typeof Purpose>, string>
  /** Why an identity was decided as it was. */
  identityReasons: Record<KycReason, string>
  /** Why a moderator decided a listing as they did. */
  listingReasons: Record<z.infer<typeof ModerationReason>, string>
}
