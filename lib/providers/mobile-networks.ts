import * as z from 'zod'
import type { Currency } from '#lib/kernel/money'

/** The mobile money networks by the countries in which they keep accounts, ISO 3166-1 alpha-2. */
const COUNTRIES_OF_NETWORK = {
  airtel: ['CD', 'CG', 'GA', 'KE', 'MG', 'MW', 'NE', 'NG', 'RW', 'TD', 'TZ', 'UG', 'ZM'],
  free: ['SN'],
  halotel: ['TZ'],
  moov: ['BF', 'BJ', 'CF', 'CI', 'GA', 'ML', 'NE', 'TD', 'TG'],
  mpesa: ['CD', 'ET', 'KE', 'LS', 'MZ', 'TZ'],
  mtn: ['BJ', 'CG', 'CI', 'CM', 'GH', 'GN', 'GW', 'LR', 'NG', 'RW', 'SS', 'SZ', 'UG', 'ZA', 'ZM'],
  orange: ['BF', 'BW', 'CD', 'CF', 'CI', 'CM', 'GN', 'GW', 'JO', 'LR', 'MA', 'MG', 'ML', 'SL', 'SN', 'TN'],
  tigo: ['GH', 'TZ'],
  tmoney: ['TG'],
  vodafone: ['EG', 'GH'],
  wave: ['BF', 'CI', 'GM', 'ML', 'SL', 'SN', 'UG'],
  zamtel: ['ZM'],
} as const

type Name = keyof typeof COUNTRIES_OF_NETWORK
const NAMES = Object.keys(COUNTRIES_OF_NETWORK) as [Name, ...Name[]]

/** A mobile money network. Letter case, spaces and hyphens do not matter: `M-Pesa` is `mpesa`. */
export const MobileNetwork = z
  .string()
  .max(40)
  .transform((value) => value.toLowerCase().replace(/[\s-]/g, ''))
  .pipe(z.enum(NAMES))
  .meta({ id: 'MobileNetwork', description: NAMES.join(', '), example: 'mtn' })
export type MobileNetwork = z.output<typeof MobileNetwork>

/** Returns the networks that keep accounts in a country. */
export const networksIn = (country: string): MobileNetwork[] =>
  NAMES.filter((name) => (COUNTRIES_OF_NETWORK[name] as readonly string[]).includes(country))

/** The countries whose mobile money accounts are all in one currency, by that currency. */
const COUNTRIES_OF_CURRENCY: Readonly<Partial<Record<Currency, readonly string[]>>> = {
  XOF: ['BF', 'BJ', 'CI', 'GW', 'ML', 'NE', 'SN', 'TG'],
  XAF: ['CF', 'CG', 'CM', 'GA', 'GQ', 'TD'],
  GHS: ['GH'],
  GNF: ['GN'],
  KES: ['KE'],
  MGA: ['MG'],
  MWK: ['MW'],
  MZN: ['MZ'],
  NGN: ['NG'],
  RWF: ['RW'],
  SLE: ['SL'],
  TZS: ['TZ'],
  UGX: ['UG'],
  ETB: ['ET'],
  GMD: ['GM'],
  ZAR: ['ZA'],
}

/** Returns the one currency of a country's mobile money accounts; undefined where there may be several. */
export const mobileCurrencyOf = (country: string): Currency | undefined =>
  (Object.keys(COUNTRIES_OF_CURRENCY) as Currency[]).find((currency) =>
    COUNTRIES_OF_CURRENCY[currency]?.includes(country),
  )
