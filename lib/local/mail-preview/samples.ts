import { Timestamp } from '#lib/kernel/clock'
import type { Locale } from '#lib/kernel/locale'
import { layOut } from '#lib/mail/layout'
import type { Letter } from '#lib/mail/letter'
import { type AddressNotice, addressLetter, linkLetter } from '#lib/mail/link-letter'
import type { Mail } from '#lib/mail/mailer'
import type { LinkKind } from '#lib/mail/words/words'
import { letterOf, wordsOf } from '#lib/notifications/compose'
import type { Matter } from '#lib/notifications/matter'
import { TOLD } from '#lib/notifications/told'

/** One thing that people are told, made of sample data. */
export type Sample = {
  name: string
  /** Null for what is only mailed. */
  notification: { title: string; text: string } | null
  /** Null for what is never mailed. */
  mail: Omit<Mail, 'to'> | null
}

const LINKS: readonly [LinkKind, number][] = [
  ['password-reset', 30 * 60],
  ['email-verification', 24 * 3600],
  ['email-change', 24 * 3600],
  ['email-undo', 72 * 3600],
]
const ADDRESS_NOTICES: readonly AddressNotice[] = ['emailChangeAsked', 'emailTaken']
const ADDRESS =
  'https://www.example.com/link?token=evt_01KAH3M6XQ8ZJ4T2V7W9C5RBND.q0mVxX3sO0w5nQ2pY7rJ8tK1uL4vM6zA9bC2dE5fG8h'
const STOP =
  'https://www.example.com/unsubscribe?token=usr_01KAH3M6XQ8ZJ4T2V7W9C5RBND.listings.q0mVxX3sO0w5nQ2pY7rJ8tK1u'
const PAGES = { enquiry: 'https://www.example.com/enquiries', request: 'https://www.example.com/requests' }

/** What strangers write is often long, and sometimes meant to do harm. */
const MATTER: Omit<Matter, 'name'> = {
  at: Timestamp.parse('2026-11-20T17:00:00.000Z'),
  person: 'Awa Koné',
  listing: 'House by the lagoon <b>& garden</b>',
  money: { amount: 450_000, currency: 'XOF' },
  purpose: 'deposit',
  receipt: '01KAH3M6XQ8ZJ4T2V7W9C5RBND',
  until: Timestamp.parse('2027-11-20T17:00:00.000Z'),
  visit: Timestamp.parse('2026-11-24T09:30:00.000Z'),
  dueAt: Timestamp.parse('2026-12-01T12:00:00.000Z'),
  reasons: [],
  message: null,
  browser:
    'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0 Mobile Safari/537.36',
  network: '2001:db8:7::/64',
}
const DECISIONS: Partial<Record<Matter['name'], Partial<Matter>>> = {
  identityRejected: {
    reasons: ['document_expired', 'name_mismatch'],
    message: 'Please send both sides of your identity card.\nA photograph in daylight is enough.',
  },
  listingRejected: {
    reasons: ['wrong_price', 'contact_details_in_text'],
    message: 'The price in the text is not the price of the listing.',
  },
  listingSuspended: { reasons: ['suspected_fraud'], message: null },
  revisionRejected: { reasons: ['poor_media'], message: 'The new pictures are too dark.' },
}

/** Everything that people are told, in one language. */
export const samplesIn = (locale: Locale): Sample[] => [
  ...LINKS.map(([kind, lifetime]) => mailed(kind, linkLetter(locale, kind, ADDRESS, lifetime))),
  ...ADDRESS_NOTICES.map((notice) => mailed(notice, addressLetter(locale, notice))),
  ...TOLD.map((row): Sample => {
    const matter = { ...MATTER, name: row.notice, ...DECISIONS[row.notice] }
    const optOut =
      row.mailed === 'always' || row.mailed === 'never' ? 'none' : { topic: row.mailed, address: STOP }
    const letter = letterOf(locale, matter, {
      subject: 'enq_01KAH3M6XQ8ZJ4T2V7W9C5RBND',
      pages: PAGES,
      optOut,
    })
    return {
      name: row.notice,
      notification: wordsOf(locale, matter),
      mail: row.mailed === 'never' ? null : layOut(letter),
    }
  }),
]

const mailed = (name: string, letter: Letter): Sample => ({ name, notification: null, mail: layOut(letter) })
