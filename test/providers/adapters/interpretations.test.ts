import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { ProviderEvent } from '#lib/providers/provider'
import { testProviders } from '#test/support/providers'

/** Looks like money, and is none yet, or no longer. */
const NO_MONEY: [string, string, (sample: object) => object, string | undefined][] = [
  ['checkout-com', 'succeeded', (event: object) => ({ ...event, type: 'payment_approved' }), 'processing'],
  ['razorpay', 'succeeded', (event: object) => ({ ...event, event: 'payment.authorized' }), 'processing'],
  [
    'paypal',
    'succeeded',
    (event: object) => ({ ...event, event_type: 'CHECKOUT.ORDER.APPROVED' }),
    undefined,
  ],
  [
    'midtrans',
    'succeeded',
    (event: object) => ({ ...event, transaction_status: 'capture', fraud_status: 'challenge' }),
    'processing',
  ],
  ['midtrans', 'succeeded', (event: object) => ({ ...event, status_code: '201' }), undefined],
  [
    'cinetpay',
    'succeeded',
    (form: object) => ({ ...form, cpm_error_message: 'WAITING_FOR_CUSTOMER' }),
    undefined,
  ],
]

describe('what only looks like money', () => {
  it.each(NO_MONEY)('is none: %s %s', async (name, sample, changed, kind) => {
    const [event] = await interpret(name, JSON.parse(JSON.stringify(changed(sampleOf(name, sample)))))
    expect(event?.statement?.kind).toBe(kind)
  })

  it('is not the money of a Square payment that was merely approved', async () => {
    const body = JSON.stringify(sampleOf('square', 'succeeded')).replace('"COMPLETED"', '"APPROVED"')
    const [event] = await interpret('square', JSON.parse(body))
    expect(event?.statement).toMatchObject({ kind: 'processing' })
  })
})

describe('a late reversal', () => {
  it.each([
    ['adyen', 'REFUND_FAILED'],
    ['adyen', 'REFUNDED_REVERSED'],
  ])('takes back a refund of %s under its own id: %s', async (name, code) => {
    const body = JSON.stringify(sampleOf(name, 'refunded')).replace('"REFUND"', `"${code}"`)
    const [event] = await interpret(name, JSON.parse(body))
    expect(event?.statement).toMatchObject({ state: 'failed', providerRefundId: 'QFQTPCQ8HXSKGK82' })
  })

  it('takes back a refund of razorpay under its own id', async () => {
    const sample = sampleOf('razorpay', 'refunded') as { payload: object }
    const body = JSON.stringify({ ...sample, event: 'refund.failed' }).replace('"processed"', '"failed"')
    const [event] = await interpret('razorpay', JSON.parse(body))
    expect(event?.statement).toMatchObject({ state: 'failed', providerRefundId: 'rfnd_ExampleCCC33' })
  })
})

describe('an adyen item', () => {
  it('is not believed in what its signature leaves open', async () => {
    const body = JSON.stringify(sampleOf('adyen', 'failed')).replace('"Refused"', '"Approved"')
    const [event] = await interpret('adyen', JSON.parse(body))
    expect(event?.statement).toMatchObject({ kind: 'failed', message: 'The payment was refused.' })
  })

  it('counts pesos of Chile in hundredths, and rupiah in whole ones', async () => {
    const of = async (currency: string, value: number) => {
      const body = JSON.stringify(sampleOf('adyen', 'succeeded'))
        .replace('"EUR"', `"${currency}"`)
        .replace('12550', String(value))
      const [event] = await interpret('adyen', JSON.parse(body))
      return event?.statement
    }
    expect(await of('CLP', 150_000)).toMatchObject({ money: { amount: 1_500, currency: 'CLP' } })
    expect(await of('CLP', 150_001)).toMatchObject({ money: null })
    expect(await of('IDR', 1_500)).toMatchObject({ money: { amount: 150_000, currency: 'IDR' } })
    expect(await of('KWD', 1_500)).toMatchObject({ money: { amount: 1_500, currency: 'KWD' } })
  })
})

describe('an amount in major units', () => {
  it.each([
    ['125.5', 12_550],
    ['4.35', 435],
    ['1255.10', 125_510],
    ['0.07', 7],
    ['125.505', null],
    ['1.2551e2', null],
    ['-1', null],
  ])('is read as text, never through a float: %s', async (text, amount) => {
    const rawBody = JSON.stringify(sampleOf('flutterwave', 'v4_succeeded')).replace('12550', text)
    const [event] = await interpret('flutterwave', rawBody)
    expect(event?.statement).toMatchObject({ money: amount === null ? null : { amount, currency: 'NGN' } })
  })
})

describe('the currency of an amount', () => {
  it.each([
    ['checkout-com', 'succeeded', 'usd', 'USD'],
    ['checkout-com', 'succeeded', 'uſd', null],
    ['flutterwave', 'v4_succeeded', 'Sek', 'SEK'],
    ['flutterwave', 'v4_succeeded', 'ſek', null],
  ])('is read in either case, but of no other letters: %s %s %s', async (name, sample, written, currency) => {
    const body = JSON.stringify(sampleOf(name, sample)).replace(
      /"currency":"\w+"/g,
      `"currency":"${written}"`,
    )
    const [event] = await interpret(name, body)
    const money = currency === null ? null : { currency }
    expect(event?.statement).toMatchObject({ kind: 'succeeded', money })
  })
})

describe('an amount that a provider cannot ask for', () => {
  it.each([
    ['cinetpay', 12_551, 'XOF', 'multiple of 5'],
    ['cinetpay', 150, 'USD', 'whole number'],
    ['midtrans', 12_550, 'IDR', 'whole number'],
    ['xendit', 12_550, 'IDR', 'whole number'],
    ['mpesa', 12_550, 'KES', 'whole number'],
    ['paypal', 12_550, 'HUF', 'whole number'],
    ['mercadopago', 12_550, 'COP', 'whole number'],
    ['adyen', 12_550, 'IDR', 'whole number'],
    ['razorpay', 1_001, 'KWD', 'multiple of 10'],
    ['checkout-com', 1_001, 'KWD', 'multiple of 10'],
  ] as const)('is refused before it is asked: %s %i %s', async (name, amount, currency, why) => {
    const provider = await testProviders().find(name)
    expect(provider?.refuses?.({ amount, currency })).toContain(why)
  })
})

type Sample = Record<string, unknown> | string

function sampleOf(name: string, sample: string): Record<string, unknown> {
  const { payloadExamples } = JSON.parse(
    readFileSync(new URL(`../../support/vectors/${name}.json`, import.meta.url), 'utf8'),
  )
  const found = payloadExamples[sample]
  // An item is signed, or it is not even read.
  if (name === 'adyen')
    found.notificationItems[0].NotificationRequestItem.additionalData.hmacSignature = 'any'
  return found
}

async function interpret(name: string, sample: Sample): Promise<ProviderEvent[]> {
  const isForm = name === 'cinetpay' && typeof sample !== 'string'
  const text = typeof sample === 'string' ? sample : JSON.stringify(sample)
  const rawBody = Buffer.from(
    isForm ? new URLSearchParams(sample as Record<string, string>).toString() : text,
  )
  const provider = await testProviders().find(name)
  return (await provider?.interpret({ method: 'POST', rawBody, headers: {}, rawQuery: '' })) ?? []
}
