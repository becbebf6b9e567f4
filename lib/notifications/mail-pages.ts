import { dependency } from '#lib/config'
import type { NoticePages } from './compose.ts'

/** Where the links in mails of notices lead. */
export type MailPages = {
  pages: NoticePages
  /** The page that asks whether mails are to be switched off. */
  unsubscribePage: string
  /** Where a mail client sends the one click of RFC 8058. */
  unsubscribeAddress: string
}

/** The front end's pages. Without one for unsubscribing the service's own is used; the others have no stand-in. */
export const mailPages = dependency(
  ['PUBLIC_URL', 'ENQUIRY_URL', 'PAYMENT_REQUEST_URL', 'UNSUBSCRIBE_URL'],
  ({ PUBLIC_URL, ENQUIRY_URL, PAYMENT_REQUEST_URL, UNSUBSCRIBE_URL }): MailPages => ({
    pages: { enquiry: ENQUIRY_URL ?? null, request: PAYMENT_REQUEST_URL ?? null },
    unsubscribePage: UNSUBSCRIBE_URL ?? `${PUBLIC_URL}/unsubscribe`,
    unsubscribeAddress: `${PUBLIC_URL}/notifications/unsubscribe`,
  }),
)
