import { expect, it } from 'vitest'
import { AMOUNT_LIMIT, type Currency } from '#lib/kernel/money'
import { testProviders } from '#test/support/providers'

/** The amounts, in minor units, that documents of the providers name. */
const LIMITS: [provider: string, Currency, min: number, max: number][] = [
  ['mpesa', 'KES', 100, 25_000_000],
  ['paystack', 'GHS', 10, AMOUNT_LIMIT],
  ['paystack', 'NGN', 5_000, AMOUNT_LIMIT],
  ['razorpay', 'INR', 100, AMOUNT_LIMIT],
  ['razorpay', 'USD', 100, AMOUNT_LIMIT],
]

it.each(LIMITS)('%s takes %s from %i to %i minor units', async (name, currency, min, max) => {
  const provider = await testProviders().find(name)
  expect(provider?.limits?.[currency]).toEqual({ min, max })
})
