import { describe, expect, it } from 'vitest'
import { Locale } from '#lib/kernel/locale'
import { samplesIn } from '#lib/local/mail-preview/samples'
import { layOut } from '#lib/mail/layout'
import type { MailContent } from '#lib/mail/mail-content'
import { mailWordsIn } from '#lib/mail/words/words-in'

/** Every mail of a language. */
const mailsIn = (locale: Locale) =>
  samplesIn(locale).flatMap(({ name, mail }) => (mail ? [{ name, ...mail }] : []))

const VOID = new Set(['meta', 'br', '!doctype'])

/** The tags that are open when a document ends, or that are closed though others are open. */
function unbalanced(html: string): string[] {
  const open: string[] = []
  for (const [, slash, name = ''] of html.matchAll(/<(\/?)([a-z0-9!]+)[^>]*>/gi)) {
    if (VOID.has(name)) continue
    if (!slash) open.push(name)
    else if (open.pop() !== name) return [`</${name}>`]
  }
  return open
}

const SIGNS: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

/** The words that a reader of the HTML sees, and the addresses that they lead to. */
const wordsOfHtml = (html: string): Set<string> =>
  wordsIn(
    html
      .replace(/<head>.*<\/head>/s, '')
      .replace(/<[^>]*?(?: href="([^"]+)"[^>]*)?>/g, ' $1 ')
      .replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => SIGNS[name] ?? ''),
  )

const wordsIn = (text: string): Set<string> => {
  const words = text.split(/\s+/).map((word) => word.replace(/:$/, ''))
  return new Set(words.filter((word) => word !== '' && word !== '-'))
}

describe('a mail', () => {
  it.each(Locale.options)('in %s is well-formed, says its language and loads nothing', (locale) => {
    for (const { name, html } of mailsIn(locale)) {
      expect(unbalanced(html), name).toEqual([])
      expect(html, name).toContain(`<html lang="${locale}" dir="${locale === 'ar' ? 'rtl' : 'ltr'}">`)
      expect(html, name).not.toMatch(/<(img|script|link|iframe|object|form)\b|url\(|@import|\ssrc=/)
      const addresses = [...html.matchAll(/href="([^"]+)"/g)].map(([, address]) => address)
      expect(addresses.filter((address) => !address?.startsWith('https://www.example.com/'))).toEqual([])
    }
  })

  it.each(Locale.options)('in %s says the same as text and as HTML', (locale) => {
    // What explains the button has no use where there is none.
    const aboutTheButton = wordsIn(mailWordsIn(locale).orOpen)
    for (const { name, subject, text, html } of mailsIn(locale)) {
      const inText = wordsIn(`${subject} ${text}`)
      const inHtml = wordsOfHtml(html)
      expect([...inText.difference(inHtml)], `only in the text of ${name}`).toEqual([])
      expect(
        [...inHtml.difference(inText).difference(aboutTheButton)],
        `only in the HTML of ${name}`,
      ).toEqual([])
    }
  })

  it('is written from right to left in Arabic, with strangers’ words set apart', () => {
    const mail = mailsIn('ar').find(({ name }) => name === 'enquiryReceived')
    expect(mail?.html).toContain('align="right"')
    expect(mail?.text).toContain('\u2068Awa Koné\u2069')
  })
})

describe('what strangers wrote', () => {
  const HOSTILE = "\"><script>alert(1)</script><a href='https://evil.example'>&amp;"
  const content: MailContent = {
    locale: 'en',
    title: HOSTILE,
    text: HOSTILE,
    items: [],
    points: [HOSTILE],
    message: `${HOSTILE}\nsecond line`,
    details: [{ label: HOSTILE, value: HOSTILE }],
    action: { label: HOSTILE, address: `https://www.example.com/?a=1&b="><script>` },
    closing: HOSTILE,
    optOut: { topic: 'payments', address: `https://www.example.com/?a=1&b="><script>` },
  }

  it('is never markup', () => {
    const { html, text } = layOut(content)
    expect(html).not.toMatch(/<script|evil\.example'>|="">/)
    expect(unbalanced(html)).toEqual([])
    expect(text).toContain(HOSTILE)
  })

  it('keeps its line breaks', () => {
    expect(layOut(content).html).toContain('<br>second line')
  })
})
