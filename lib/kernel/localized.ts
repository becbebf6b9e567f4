import type { Timestamp } from './clock.ts'
import { directionOf, type Locale } from './locale.ts'
import { exponentOf, type Money } from './money.ts'

/** Writes a sum as the locale does, with as many decimals as ISO 4217 gives the currency. */
export function amountIn(locale: Locale, { amount, currency }: Money): string {
  const exponent = exponentOf(currency)
  const format = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: exponent,
    maximumFractionDigits: exponent,
  })
  // At most 16 digits: the quotient is off by less than half a minor unit, and rounding restores it.
  return format.format(amount / 10 ** exponent)
}

/** Writes a whole number as the locale does. */
export const numberIn = (locale: Locale, number: number): string =>
  new Intl.NumberFormat(locale).format(number)

/** Writes a moment in UTC as the locale does, with the zone named. */
export const momentIn = (locale: Locale, moment: Timestamp): string =>
  new Intl.DateTimeFormat(locale, {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone: 'UTC',
    timeZoneName: 'short',
  }).format(new Date(moment))

/** Writes a length of time in hours, or in minutes where it is less than two hours, such as `30 minutes`. */
export function durationIn(locale: Locale, seconds: number): string {
  const [unit, length] = seconds < 7200 ? ['minute', seconds / 60] : ['hour', seconds / 3600]
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(length)
}

/**
 * Returns a stranger's text for use inside a sentence: on one line, without controls of the direction of writing, and
 * isolated where its own direction may differ.
 */
export function inlineIn(locale: Locale, text: string): string {
  const line = text.replace(DIRECTION_CONTROLS, '').replace(/\s+/gu, ' ').trim()
  return directionOf(locale) === 'rtl' || RIGHT_TO_LEFT.test(line)
    ? `${FIRST_STRONG_ISOLATE}${line}${POP_ISOLATE}`
    : line
}

const DIRECTION_CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/
const FIRST_STRONG_ISOLATE = '\u2068'
const POP_ISOLATE = '\u2069'
