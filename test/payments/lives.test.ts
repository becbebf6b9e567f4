import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import type { PaymentView } from '#lib/payments/payment-view'
import type { Providers } from '#lib/providers/registry'
import { deliver } from '#test/support/callbacks'
import { aUser, type GivenUser } from '#test/support/given'
import { aPayment, paymentOf } from '#test/support/payments'
import { SETTINGS, testProviders } from '#test/support/providers'

type Json = Record<string, never>
type Samples = Record<'succeeded' | 'failed' | 'refunded' | 'disputed', Json>

/** How a provider's documented refund of 5000 becomes another one, of what is then left. */
const LIVES: Record<string, { file?: string; money: object; rest: (text: string) => string }> = {
  adyen: {
    money: { currency: 'EUR', amount: 12_550 },
    rest: (text) => text.replace('QFQTPCQ8HXSKGK82', 'QFQTPCQ8HXSKGK83').replace('5000', '7550'),
  },
  'checkout-com': {
    money: { currency: 'EUR', amount: 12_550 },
    rest: (text) =>
      text
        .replace('0000000000003"', '0000000000033"')
        .replace('00000003"', '00000033"')
        .replace('5000', '7550'),
  },
  razorpay: {
    money: { currency: 'INR', amount: 1_255_000 },
    rest: (text) => text.replaceAll('rfnd_ExampleCCC33', 'rfnd_ExampleCCC34').replace('500000', '755000'),
  },
  square: {
    money: { currency: 'USD', amount: 12_550 },
    rest: (text) =>
      text
        .replace('000000000003"', '000000000033"')
        .replaceAll('rfExample', 'rfExampleTwo')
        .replace('5000', '7550'),
  },
}

let user: GivenUser
beforeAll(async () => {
  user = await aUser()
})

/** The provider's own file, with a checkout that opens by itself, believing what the test sends it. */
async function trusting(name: string): Promise<Providers> {
  const provider = await testProviders(SETTINGS).find(name)
  if (!provider) throw new Error(`${name} is not switched on`)
  const start = async () => ({ url: 'https://pay.example/', expiresAt: null, references: [] })
  const opened = { ...provider, verify: () => 'signed' as const, start }
  return {
    find: async (wanted) => (wanted === name ? opened : undefined),
    renewed: async () => undefined,
    all: async () => [{ name, provider: opened }],
  }
}

let lives = 0

/** The five callbacks of one payment, its ids and the provider's in place of the documented ones. */
function lifeOf(name: string, payment: PaymentView): string[] {
  const { file = name, rest } = LIVES[name] ?? { rest: (text: string) => text }
  const url = new URL(`../support/vectors/${file}.json`, import.meta.url)
  const samples: Samples = JSON.parse(readFileSync(url, 'utf8')).payloadExamples
  lives += 1
  const about = (text: string) =>
    text
      .replaceAll('mkt_pay_7f3a2c91', payment.id)
      .replace('"additionalData":{', '"additionalData":{"hmacSignature":"believed",')
      .replace('"believed",}', '"believed"}')
      .replaceAll(/example/gi, (word) => `${word}${lives}x`)
      .replaceAll(/(NC6HT9|QFQTPC|LDQTPC|13b867cf|bVTE)/g, (word) => `${word}${lives}x`)
  const refunded = JSON.stringify(samples.refunded)
  const told = [samples.failed, samples.succeeded, samples.disputed].map((sample) => JSON.stringify(sample))
  return [...told, refunded, rest(refunded)].map(about)
}

const permutations = <T>(items: T[]): T[][] =>
  items.length === 0
    ? [[]]
    : items.flatMap((item, index) => permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]))

describe('a life of five events, as the provider documents them', () => {
  // Every tenth of the 120 orders goes through the whole stack; the fold itself is tested in all of them.
  const orders = permutations([0, 1, 2, 3, 4]).filter((_, place) => place % 10 === 3)

  it.each(Object.keys(LIVES))('ends alike in whatever order: %s', async (name) => {
    const providers = await trusting(name)
    const ends = await Promise.all(
      orders.map(async (order) => {
        const payment = await aPayment(user, { provider: name, ...LIVES[name]?.money }, providers)
        const life = lifeOf(name, payment)
        for (const place of order) {
          const rawBody = life[place] ?? ''
          expect(await deliver({ provider: name, headers: {}, rawBody }, { providers })).toMatchObject({
            status: 200,
          })
        }
        const { status, amountRefunded, amount, refunds } = await paymentOf(user, payment.id)
        return JSON.stringify({ status, isAllBack: amountRefunded === amount, refunds: refunds.length })
      }),
    )
    const expected = { status: 'DISPUTED', isAllBack: true, refunds: 2 }
    expect(new Set(ends)).toEqual(new Set([JSON.stringify(expected)]))
  })
})
