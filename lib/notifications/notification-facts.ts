import type { Timestamp } from '#lib/kernel/clock'
import type { ListingId } from '#lib/kernel/id'
import type { Money } from '#lib/kernel/money'
import type { NotificationName } from './recipients.ts'
import type { CodeWords } from './words/codes/codes.ts'

/**
 * Everything that the words of one notification are made of, read when the words are made. A fact is null if this
 * notification has none, or if its record is gone.
 */
export type NotificationFacts = {
  name: NotificationName
  /** When the event happened. */
  at: Timestamp
  /** The other person's name. */
  person: string | null
  /** The listing's title. */
  listing: string | null
  money: Money | null
  /** The price before it was reduced. */
  priceBefore: Money | null
  /** The saved search's name. */
  search: string | null
  /** The number of API keys that a reset ended, or of listings that a search found. */
  count: number | null
  /** The first public listings that a search found. */
  found: readonly { id: ListingId; title: string }[]
  purpose: keyof CodeWords['purposes'] | null
  /** The number of the receipt. */
  receipt: string | null
  /** When a proof of identity expires, or when the payment is due that a reminder is about. */
  until: Timestamp | null
  /** When the visit that an enquiry arranged takes place. */
  visitAt: Timestamp | null
  /** When the payment of a new payment request is due; only the mail about the new request says so. */
  dueAt: Timestamp | null
  /** Codes; an unknown one reads as `other`. */
  reasons: readonly string[]
  /** From the administrator who decided, to the person. */
  message: string | null
  /** The browser and the network of the session that the notification is about. Only mails say them. */
  browser: string | null
  network: string | null
}
