import { DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS, Timestamp } from '#lib/kernel/clock'
import { ListingId } from '#lib/kernel/id'
import type { Locale } from '#lib/kernel/locale'
import { layOut } from '#lib/mail/layout'
import { type AddressNotification, addressMailContent, linkMailContent } from '#lib/mail/link-mail-content'
import type { MailContent } from '#lib/mail/mail-content'
import type { LinkPurpose } from '#lib/mail/mail-request'
import type { Mail } from '#lib/mail/mailer'
import { composeMail, composeNotification } from '#lib/notifications/compose'
import type { NotificationFacts } from '#lib/notifications/notification-facts'
import { NOTIFICATION_NAMES, notificationKind } from '#lib/notifications/recipients'

/** One notification or mail, made of sample data. */
export type Sample = {
  name: string
  /** Null for what is only mailed. */
  notification: { title: string; text: string } | null
  /** Null for what is never mailed. */
  mail: Omit<Mail, 'to'> | null
}

const LINKS: readonly [purpose: LinkPurpose, lifetimeSeconds: number][] = [
  ['password-reset', 30 * MINUTE_SECONDS],
  ['email-verification', DAY_SECONDS],
  ['email-change', DAY_SECONDS],
  ['email-undo', 72 * HOUR_SECONDS],
]
const ADDRESS_NOTIFICATIONS: readonly AddressNotification[] = ['emailChangeAsked', 'emailTaken']
const ADDRESS =
  'https://www.example.com/link?token=evt_01KAH3M6XQ8ZJ4T2V7W9C5RBND.q0mVxX3sO0w5nQ2pY7rJ8tK1uL4vM6zA9bC2dE5fG8h'
const UNSUBSCRIBE_ADDRESS =
  'https://www.example.com/unsubscribe?token=usr_01KAH3M6XQ8ZJ4T2V7W9C5RBND.listings.q0mVxX3sO0w5nQ2pY7rJ8tK1u'
const PAGES = {
  listing: 'https://www.example.com/listings',
  enquiry: 'https://www.example.com/enquiries',
  request: 'https://www.example.com/requests',
}

const FACTS: Omit<NotificationFacts, 'name'> = {
  at: Timestamp.parse('2026-11-20T17:00:00.000Z'),
  person: 'Awa Koné',
  listing: 'House by the lagoon <b>& garden</b>',
  money: { amount: 450_000, currency: 'XOF' },
  priceBefore: { amount: 500_000, currency: 'XOF' },
  search: 'Houses by the lagoon',
  count: 7,
  found: [],
  purpose: 'deposit',
  receipt: '01KAH3M6XQ8ZJ4T2V7W9C5RBND',
  until: Timestamp.parse('2027-11-20T17:00:00.000Z'),
  visitAt: Timestamp.parse('2026-11-24T09:30:00.000Z'),
  dueAt: Timestamp.parse('2026-12-01T12:00:00.000Z'),
  reasons: [],
  message: null,
  browser:
    'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0 Mobile Safari/537.36',
  network: '2001:db8:7::/64',
}
/** The facts in which some notifications differ from `FACTS`. */
const OTHER_FACTS: Partial<Record<NotificationFacts['name'], Partial<NotificationFacts>>> = {
  identityRejected: {
    reasons: ['document_expired', 'name_mismatch'],
    message: 'Please send both sides of your identity card.\nA photograph in daylight is enough.',
  },
  listingRejected: {
    reasons: ['wrong_price', 'contact_details_in_text'],
    message: 'The price in the text is not the price of the listing.',
  },
  searchMatched: {
    found: [
      { id: ListingId.parse('lst_01KAH3M6XQ8ZJ4T2V7W9C5RBND'), title: 'House by the lagoon <b>& garden</b>' },
      { id: ListingId.parse('lst_01KAH3M6XQ8ZJ4T2V7W9C5RBNE'), title: 'Villa with a pool' },
    ],
  },
  listingSuspended: { reasons: ['suspected_fraud'], message: null },
  revisionRejected: { reasons: ['poor_media'], message: 'The new pictures are too dark.' },
}

/** Returns every notification and mail in one language. */
export const samplesIn = (locale: Locale): Sample[] => [
  ...LINKS.map(([purpose, lifetimeSeconds]) =>
    mailed(purpose, linkMailContent(locale, purpose, ADDRESS, lifetimeSeconds)),
  ),
  ...ADDRESS_NOTIFICATIONS.map((notification) =>
    mailed(notification, addressMailContent(locale, notification)),
  ),
  ...NOTIFICATION_NAMES.map((name): Sample => {
    const { mailed: preference } = notificationKind(name)
    const facts = { ...FACTS, name, ...OTHER_FACTS[name] }
    const optOut =
      preference === 'always' || preference === 'never'
        ? 'none'
        : { topic: preference, address: UNSUBSCRIBE_ADDRESS }
    // One subject serves every sample: it only chooses the page of the link.
    const content = composeMail(locale, facts, {
      subject: 'enq_01KAH3M6XQ8ZJ4T2V7W9C5RBND',
      pages: PAGES,
      optOut,
    })
    return {
      name,
      notification: composeNotification(locale, facts),
      mail: preference === 'never' ? null : layOut(content),
    }
  }),
]

const mailed = (name: string, content: MailContent): Sample => ({
  name,
  notification: null,
  mail: layOut(content),
})
