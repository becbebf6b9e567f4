import { computed, signal } from '@preact/signals'
import { api, read } from '../api/client.ts'
import type { Schema } from '../api/schemas.ts'
import { readerLocale } from '../words/words.ts'

const exponents = signal<ReadonlyMap<string, number>>(new Map())

/** Every currency that the API knows. */
export const currencies = computed(() => [...exponents.value.keys()] as Schema<'Currency'>[])

const RETRIED_EVERY_MILLISECONDS = 4_000

/** Learns how many decimals each currency has: `Intl` is wrong for some of them. Asks until it is answered. */
export async function loadCurrencies(): Promise<void> {
  try {
    const { items } = await read(api.GET('/currencies'))
    exponents.value = new Map(items.map(({ code, exponent }) => [code, exponent]))
  } catch {
    setTimeout(loadCurrencies, RETRIED_EVERY_MILLISECONDS)
  }
}

/** Returns the number of decimals of a currency; two where it is not known. */
export const exponentOf = (currency: string): number => exponents.value.get(currency) ?? 2

/** Writes minor units as the reader's locale writes an amount of the currency. */
export function money(amount: number, currency: string): string {
  const digits = exponentOf(currency)
  const format = new Intl.NumberFormat(readerLocale, {
    style: 'currency',
    currency,
    currencyDisplay: 'code',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
  // `Intl` formats a decimal text exactly, but its type accepts numbers only.
  return format.format(decimal(amount, digits) as unknown as number)
}

/** Writes minor units as the number alone, where a heading names the currency. */
export function moneyAlone(amount: number, currency: string): string {
  const digits = exponentOf(currency)
  const format = new Intl.NumberFormat(readerLocale, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
  return format.format(decimal(amount, digits) as unknown as number)
}

/** Returns a sentence of the API, with amounts such as `1250 minor units of EUR` as the reader's locale writes them. */
export const inMoney = (sentence: string): string =>
  sentence.replace(/(\d{1,16}) minor units of ([A-Z]{3})/g, (_, amount: string, currency: string) =>
    money(Number(amount), currency),
  )

/** Writes minor units as a plain decimal, such as `12.50`; exact for every amount. */
export function decimal(amount: number, digits: number): string {
  const text = `${Math.abs(amount)}`.padStart(digits + 1, '0')
  const sign = amount < 0 ? '-' : ''
  return digits === 0 ? `${sign}${text}` : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`
}

/**
 * Returns a typed amount in minor units; undefined for 0, for too many decimals and for other text, and until the decimals
 * of the currency are known.
 */
export function minorUnits(typed: string, currency: string): number | undefined {
  const digits = exponents.value.get(currency)
  if (digits === undefined) return undefined
  const match = /^(\d{1,15})(?:[.,](\d*))?$/.exec(typed.replace(/\s/g, ''))
  const [, whole = '', fraction = ''] = match ?? []
  if (match === null || fraction.length > digits) return undefined
  const amount = Number(`${whole}${fraction.padEnd(digits, '0')}`)
  return Number.isSafeInteger(amount) && amount > 0 ? amount : undefined
}

const number = new Intl.NumberFormat(readerLocale)

/** Writes a whole number as the reader's locale does. */
export const count = (value: number): string => number.format(value)

const clock = new Intl.DateTimeFormat(readerLocale, { hour: '2-digit', minute: '2-digit' })
const day = new Intl.DateTimeFormat(readerLocale, { day: 'numeric', month: 'short' })
const short = new Intl.DateTimeFormat(readerLocale, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
})
const full = new Intl.DateTimeFormat(readerLocale, { dateStyle: 'medium', timeStyle: 'short' })
const utcDay = new Intl.DateTimeFormat(readerLocale, { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** Writes the hour and minute of a time, in the reader's zone. */
export const hour = (at: string): string => clock.format(new Date(at))

/** Writes day, month, hour and minute of a time, in the reader's zone. */
export const dayAndHour = (at: string): string => short.format(new Date(at))

/** Writes a time with its year, in the reader's zone. */
export const dateTime = (at: string): string => full.format(new Date(at))

/** Writes a time in the reader's zone as the value of a `datetime-local` input, to the minute. */
export const minuteOf = (at: Date): string =>
  new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)

/** Writes a day in UTC, as the overview counts. */
export const dayInUtc = (date: string): string => utcDay.format(new Date(`${date}T00:00:00Z`))

const relative = new Intl.RelativeTimeFormat(readerLocale, { numeric: 'auto', style: 'short' })
const STEPS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** Returns the age of a time, such as `3 h ago`; its day and month where it is more than 30 days ago. */
export function ago(at: string): string {
  const seconds = (Date.now() - Date.parse(at)) / 1_000
  if (seconds > 30 * 86_400) return day.format(new Date(at))
  const [unit, length] = STEPS.find(([, step]) => seconds >= step) ?? ['minute', 60]
  return relative.format(-Math.max(0, Math.round(seconds / length)), unit)
}
