import { dependency } from '#lib/config/config'
import type { LinkedPages } from './compose.ts'

export type MailPages = {
  pages: LinkedPages
  /** The page that asks whether mails are to be switched off. */
  unsubscribePage: string
  /** Where a mail client posts its one-click unsubscription (RFC 8058). */
  unsubscribeAddress: string
}

/** The front end's pages. Only the one for unsubscribing has a default: the service's own. */
export const mailPages = dependency(
  ['PUBLIC_URL', 'LISTING_URL', 'ENQUIRY_URL', 'PAYMENT_REQUEST_URL', 'UNSUBSCRIBE_URL'],
  ({ PUBLIC_URL, LISTING_URL, ENQUIRY_URL, PAYMENT_REQUEST_URL, UNSUBSCRIBE_URL }): MailPages => ({
    pages: {
      listing: LISTING_URL ?? null,
      enquiry: ENQUIRY_URL ?? null,
      request: PAYMENT_REQUEST_URL ?? null,
    },
    unsubscribePage: UNSUBSCRIBE_URL ?? `${PUBLIC_URL}/unsubscribe`,
    unsubscribeAddress: `${PUBLIC_URL}/notifications/unsubscribe`,
  }),
)
