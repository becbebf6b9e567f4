import { expect, it } from 'vitest'
import { AMOUNT_LIMIT, type Currency } from '#lib/kernel/money'
import { testProviders } from '#test/support/providers'

/** The amounts, in minor units, that documents of the providers name. */
const LIMITS: [provider: string, Currency, min: number, max: number][] = [
  ['checkout-com', 'EUR', 1, 999_999_999],
  ['checkout-com', 'KWD', 1, 999_999_999],
  ['checkout-com', 'CLP', 1, 9_999_999],
  ['checkout-com', 'UYI', 1, 9_999_999],
  ['checkout-com', 'CLF', 1, 99_999_999_900],
  ['cinetpay', 'XOF', 100, AMOUNT_LIMIT],
  ['mollie', 'EUR', 1, 100_000_000],
  ['mpesa', 'KES', 100, 25_000_000],
  ['paystack', 'GHS', 10, AMOUNT_LIMIT],
  ['paystack', 'NGN', 5_000, AMOUNT_LIMIT],
  ['razorpay', 'INR', 100, AMOUNT_LIMIT],
  ['razorpay', 'USD', 100, AMOUNT_LIMIT],
  ['square', 'AUD', 1, 5_000_000],
  ['square', 'JPY', 1, 9_999_999],
  ['stripe', 'EUR', 1, 99_999_999],
  ['stripe', 'JPY', 1, 99_999_999],
  ['stripe', 'ISK', 1, 999_999],
  ['stripe', 'MGA', 1, 9_999_999_900],
  ['stripe', 'IDR', 1, 999_999_999_999],
]

it.each(LIMITS)('%s takes %s from %i to %i minor units', async (name, currency, min, max) => {
  const provider = await testProviders().find(name)
  expect(provider?.limits?.[currency]).toEqual({ min, max })
})
