import * as z from 'zod'

/**
 * Every active ISO 4217 currency for which the standard names a number of decimals, by that number. The table is ours:
 * `Intl` in Node 24 follows display habits and is wrong for HUF, IDR, IQD and MGA.
 */
const CURRENCIES_BY_EXPONENT = {
  0: [
    'BIF',
    'CLP',
    'DJF',
    'GNF',
    'ISK',
    'JPY',
    'KMF',
    'KRW',
    'PYG',
    'RWF',
    'UGX',
    'UYI',
    'VND',
    'VUV',
    'XAF',
    'XOF',
    'XPF',
  ],
  // biome-ignore format: an alphabet reads better in a block
  2: [
    'AED', 'AFN', 'ALL', 'AMD', 'AOA', 'ARS', 'AUD', 'AWG', 'AZN', 'BAM', 'BBD', 'BDT', 'BMD', 'BND', 'BOB', 'BOV',
    'BRL', 'BSD', 'BTN', 'BWP', 'BYN', 'BZD', 'CAD', 'CDF', 'CHE', 'CHF', 'CHW', 'CNY', 'COP', 'COU', 'CRC', 'CUP',
    'CVE', 'CZK', 'DKK', 'DOP', 'DZD', 'EGP', 'ERN', 'ETB', 'EUR', 'FJD', 'FKP', 'GBP', 'GEL', 'GHS', 'GIP', 'GMD',
    'GTQ', 'GYD', 'HKD', 'HNL', 'HTG', 'HUF', 'IDR', 'ILS', 'INR', 'IRR', 'JMD', 'KES', 'KGS', 'KHR', 'KPW', 'KYD',
    'KZT', 'LAK', 'LBP', 'LKR', 'LRD', 'LSL', 'MAD', 'MDL', 'MGA', 'MKD', 'MMK', 'MNT', 'MOP', 'MRU', 'MUR', 'MVR',
    'MWK', 'MXN', 'MXV', 'MYR', 'MZN', 'NAD', 'NGN', 'NIO', 'NOK', 'NPR', 'NZD', 'PAB', 'PEN', 'PGK', 'PHP', 'PKR',
    'PLN', 'QAR', 'RON', 'RSD', 'RUB', 'SAR', 'SBD', 'SCR', 'SDG', 'SEK', 'SGD', 'SHP', 'SLE', 'SOS', 'SRD', 'SSP',
    'STN', 'SVC', 'SYP', 'SZL', 'THB', 'TJS', 'TMT', 'TOP', 'TRY', 'TTD', 'TWD', 'TZS', 'UAH', 'USD', 'USN', 'UYU',
    'UZS', 'VED', 'VES', 'WST', 'XAD', 'XCD', 'XCG', 'YER', 'ZAR', 'ZMW', 'ZWG',
  ],
  3: ['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND'],
  4: ['CLF', 'UYW'],
} as const

const CODES = Object.values(CURRENCIES_BY_EXPONENT).flat().sort()

const EXPONENTS: ReadonlyMap<string, number> = new Map(
  Object.entries(CURRENCIES_BY_EXPONENT).flatMap(([exponent, codes]) =>
    codes.map((code): [string, number] => [code, Number(exponent)]),
  ),
)

/** An ISO 4217 currency code, upper case. */
export const Currency = z.enum(CODES).meta({ id: 'Currency', example: 'XOF' })
export type Currency = z.infer<typeof Currency>

/** The largest amount of minor units the service takes: far above any price, far below the integers that a float rounds. */
export const AMOUNT_LIMIT = 10 ** 15

/** A sum of many amounts as it is stored, exact at any size: the table is read with a bigint for what a float rounds. */
export const Sum = z.union([z.int(), z.bigint()]).transform(BigInt)

/** Bounds a sum of many amounts to the whole numbers that JSON carries exactly: at most 2^53 - 1, on either side of 0. */
export const shownSum = (sum: number | bigint): number =>
  Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number(sum), Number.MAX_SAFE_INTEGER))

/** A positive whole number of a currency's minor units, 1 to 10^15. */
export const Amount = z.int().min(1).max(AMOUNT_LIMIT).meta({ example: 150_000 })
export type Amount = z.infer<typeof Amount>

/** A sum of money in minor units of its currency: 150000 XOF are 150 000 francs, 150000 USD are 1 500 dollars. */
export const Money = z.object({ amount: Amount, currency: Currency }).meta({ id: 'Money' })
export type Money = z.infer<typeof Money>

/**
 * Returns the decimals of a currency's unit by ISO 4217: JPY 0, USD 2, KWD 3. A provider may count with others. Every
 * currency is in the table: the default is for the compiler alone.
 */
export const exponentOf = (currency: Currency): number => EXPONENTS.get(currency) ?? 2

/**
 * Reads a plain decimal text (`1255.10`) as minor units of a currency with `exponent` decimals (125510). Never passes
 * through a float. Returns undefined for any other text, a negative amount, a fraction of a minor unit, and an amount
 * over `AMOUNT_LIMIT`; superfluous zeros (`500.00` with exponent 0) are accepted.
 */
export function toMinorUnits(text: string, exponent: number): number | undefined {
  const parts = /^(\d{1,30})(?:\.(\d{1,30}))?$/.exec(text)
  if (!parts) return undefined
  const [, whole = '', fraction = ''] = parts
  if (/[^0]/.test(fraction.slice(exponent))) return undefined
  const amount = BigInt(whole + fraction.slice(0, exponent).padEnd(exponent, '0'))
  return amount <= BigInt(AMOUNT_LIMIT) ? Number(amount) : undefined
}

/**
 * Writes minor units as decimal text with exactly `exponent` decimals: 125510 with 2 is `1255.10`.
 * `amount` is a whole number from 0 to `AMOUNT_LIMIT`.
 */
export function toDecimalText(amount: number, exponent: number): string {
  const digits = String(amount).padStart(exponent + 1, '0')
  if (exponent === 0) return digits
  return `${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`
}

/**
 * Converts an amount to units with another number of decimals. For a provider that counts XOF in hundredths,
 * `rescale(1500, 0, 2)` is 150000. Returns undefined if the result would need a fraction of a unit.
 */
export const rescale = (amount: number, from: number, to: number): number | undefined =>
  toMinorUnits(toDecimalText(amount, from), to)
