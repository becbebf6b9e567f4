import * as z from 'zod'
import {
  AMOUNT_LIMIT,
  Currency,
  exponentOf,
  Money,
  rescale,
  toDecimalText,
  toMinorUnits,
} from '#lib/kernel/money'
import { asciiUpperCase } from '#lib/kernel/text'
import type { PaymentProvider } from '#lib/providers/provider'

/** Reads a currency in letters of either case. */
const currencyOf = (code: string | null | undefined) => Currency.safeParse(code && asciiUpperCase(code))

/**
 * Returns an amount of a provider as our money. `exponentAt` gives the decimals with which the provider counts a currency,
 * by default those of our minor unit. Null when the currency is unknown, or the amount is no whole number of our minor
 * units: it then matches no payment.
 */
export function moneyOf(
  amount: number | string | null | undefined,
  currencyCode: string | null | undefined,
  exponentAt: (currency: Currency) => number = exponentOf,
): Money | null {
  const currency = currencyOf(currencyCode)
  const units = Number(amount ?? Number.NaN)
  if (!currency.success || !Number.isSafeInteger(units) || units < 0) return null
  const money = {
    amount: rescale(units, exponentAt(currency.data), exponentOf(currency.data)),
    currency: currency.data,
  }
  return Money.safeParse(money).data ?? null
}

/** Returns a decimal amount in a currency's own unit (`125.50`) as our money. Null for any other text. */
export function decimalMoneyOf(
  text: string | null | undefined,
  currencyCode: string | null | undefined,
): Money | null {
  const currency = currencyOf(currencyCode)
  if (!currency.success) return null
  const amount = toMinorUnits(text ?? '', exponentOf(currency.data))
  return Money.safeParse({ amount, currency: currency.data }).data ?? null
}

/**
 * Returns our money as the decimal amount of a provider that writes a currency with `decimals` decimals. Undefined
 * where the amount needs more decimals.
 */
export function decimalTextOf(
  { amount, currency }: Money,
  decimals = exponentOf(currency),
): string | undefined {
  const units = rescale(amount, exponentOf(currency), decimals)
  return units === undefined ? undefined : toDecimalText(units, decimals)
}

/**
 * Returns the least and the most of each currency in our minor units. `bounds` has them in the currency's own unit, as
 * documents write them: `{ KES: ['1', '250000'] }`. A currency without a second amount has the service's own maximum.
 */
export function limitsOf(
  bounds: Partial<Record<Currency, readonly [min: string, max?: string]>>,
): NonNullable<PaymentProvider['limits']> {
  const limits = Object.entries(bounds).map(([currency, [least, most]]) => {
    const min = decimalMoneyOf(least, currency)?.amount ?? 1
    return [currency, { min, max: decimalMoneyOf(most, currency)?.amount ?? AMOUNT_LIMIT }]
  })
  return Object.fromEntries(limits)
}

/** Currencies by their codes, with a space between them. */
export const currencies = (codes: string): Currency[] => z.array(Currency).parse(codes.split(' '))

/** Returns our money in a provider's units of `exponentAt(currency)` decimals; undefined for a part of a unit. */
export const unitsOf = (
  { amount, currency }: Money,
  exponentAt: (currency: Currency) => number,
): number | undefined => rescale(amount, exponentOf(currency), exponentAt(currency))
