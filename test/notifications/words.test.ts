import { describe, expect, it } from 'vitest'
import { Timestamp } from '#lib/kernel/clock'
import { Locale } from '#lib/kernel/locale'
import { amountIn, durationIn, inlineIn, momentIn } from '#lib/kernel/localized'
import { AMOUNT_LIMIT } from '#lib/kernel/money'
import { samplesIn } from '#lib/local/mail-preview/samples'
import { composeMail, composeNotification } from '#lib/notifications/compose'
import type { NotificationFacts } from '#lib/notifications/notification-facts'

const AT = Timestamp.parse('2026-11-20T17:05:00.000Z')

const content = (more: Partial<NotificationFacts>): NotificationFacts => ({
  name: 'enquiryReceived',
  at: AT,
  person: null,
  listing: null,
  money: null,
  priceBefore: null,
  search: null,
  count: null,
  found: [],
  purpose: null,
  receipt: null,
  until: null,
  visitAt: null,
  dueAt: null,
  reasons: [],
  message: null,
  browser: null,
  network: null,
  ...more,
})

describe('words', () => {
  it.each(Locale.options)('in %s say everything and leave no gap', (locale) => {
    for (const { name, notification, mail } of samplesIn(locale)) {
      for (const said of [notification?.title, notification?.text, mail?.subject, mail?.text]) {
        expect(said ?? 'nothing', `${name} in ${locale}`).toMatch(/\S/)
        expect(said ?? '', `${name} in ${locale}`).not.toMatch(/undefined|null|NaN|\$\{|\[object|Invalid/)
      }
    }
  })

  it('in Portuguese call a password and an app what pages and mails call them', () => {
    const said = JSON.stringify(samplesIn('pt')).match(/senha|palavra-passe|aplicativo|aplicação/g)
    expect([...new Set(said)].sort()).toEqual(['aplicativo', 'senha'])
  })

  it.each(Locale.options)('in %s tell a payout to an agent from a payment by them', (locale) => {
    const money = { amount: 5, currency: 'EUR' } as const
    const [paid, succeeded] = (['payoutPaid', 'paymentSucceeded'] as const).map(
      (name) => composeNotification(locale, content({ name, money })).title,
    )
    expect(paid).not.toBe(succeeded)
  })

  it('differ from language to language', () => {
    const [english = [], ...others] = Locale.options.map(samplesIn)
    for (const samples of others) {
      const same = samples.filter(({ mail }, place) => mail && mail.subject === english[place]?.mail?.subject)
      expect(same.map(({ name }) => name)).toEqual([])
    }
  })

  it('say "someone" of a person who is gone', () => {
    expect(composeNotification('en', content({ listing: 'House' }))).toEqual({
      title: 'New enquiry about “House”',
      text: 'Someone has written to you.',
    })
    expect(composeNotification('fr', content({})).text).toBe('Quelqu’un vous a écrit.')
  })

  it('give the reasons of a decision and what the administrator wrote', () => {
    const refused = content({
      name: 'identityRejected',
      reasons: ['document_expired', 'a_code_of_tomorrow'],
      message: 'Both sides, please.',
    })
    expect(composeNotification('en', refused).text).toBe(
      'Please send your documents again.\nThe document has expired. There is another reason.\nBoth sides, please.',
    )
  })

  it('leave out what is not known', () => {
    const mail = composeMail(
      'en',
      content({ name: 'paymentSucceeded', money: { amount: 5, currency: 'EUR' } }),
      {
        subject: 'pay_1',
        pages: { listing: null, enquiry: null, request: null },
        optOut: 'none',
      },
    )
    expect(mail.details.map(({ label }) => label)).toEqual(['Amount', 'Date'])
    expect(mail.action).toBeNull()
  })

  it('link to the page of the front end where there is one', () => {
    const mail = composeMail('en', content({ name: 'paymentRequested' }), {
      subject: 'prq_01KAH3M6XQ8ZJ4T2V7W9C5RBND',
      pages: { listing: null, enquiry: null, request: 'https://www.example.com/pay?from=mail' },
      optOut: 'none',
    })
    expect(mail.action?.address).toBe(
      'https://www.example.com/pay?from=mail&id=prq_01KAH3M6XQ8ZJ4T2V7W9C5RBND',
    )
  })
})

describe('amounts', () => {
  it.each([
    ['en', 'USD', 150_000, '$1,500.00'],
    ['fr', 'XOF', 450_000, '450\u202f000\u00a0F\u202fCFA'],
    ['es', 'KWD', 1_500_500, '1500,500\u00a0KWD'],
    ['pt', 'IDR', 150_050, 'IDR\u00a01.500,50'],
    ['en', 'JPY', 1, '¥1'],
    ['en', 'USD', AMOUNT_LIMIT - 1, '$9,999,999,999,999.99'],
    ['en', 'CLF', AMOUNT_LIMIT - 1, 'CLF\u00a099,999,999,999.9999'],
  ] as const)('in %s of %s have the currency’s own decimals', (locale, currency, amount, text) => {
    expect(amountIn(locale, { amount, currency })).toBe(text)
  })
})

describe('times', () => {
  it.each(Locale.options)('in %s name the zone', (locale) => {
    expect(momentIn(locale, AT)).toMatch(/2026.*5:05.*UTC|2026.*17:05.*UTC/)
  })

  it.each([
    ['en', 1800, '30 minutes'],
    ['fr', 86_400, '24\u00a0heures'],
    ['ar', 10_800, '3 ساعات'],
    ['ar', 86_400, '24 ساعة'],
  ] as const)('in %s have the plural that the number asks for', (locale, seconds, text) => {
    expect(durationIn(locale, seconds)).toBe(text)
  })
})

describe('a stranger’s text inside a sentence', () => {
  it('stays on one line and cannot turn the direction of writing', () => {
    expect(inlineIn('en', ' Awa\r\nBcc: x\u202e@y ')).toBe('Awa Bcc: x@y')
  })

  it('is set apart where its direction may differ', () => {
    expect(inlineIn('ar', 'Awa')).toBe('\u2068Awa\u2069')
    expect(inlineIn('en', 'عائشة')).toBe('\u2068عائشة\u2069')
  })
})
