import * as z from 'zod'
import { invalidField } from '#lib/kernel/domain-error'
import { AMOUNT_LIMIT, Currency } from '#lib/kernel/money'
import { queryNumber } from '#lib/kernel/query-number'
import type { PaymentProvider } from './provider.ts'
import type { Providers } from './registry.ts'

export const ProvidersQuery = z.object({
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, 'must be an ISO 3166-1 alpha-2 code')
    .optional(),
  currency: Currency.optional(),
  amount: queryNumber(z.int().min(1).max(AMOUNT_LIMIT).optional()).meta({
    description: 'In minor units of `currency`, which it needs',
  }),
})

/** A provider that can be paid through. */
export const ProviderView = z
  .object({
    name: z.string().meta({ example: 'stripe' }),
    currencies: z.array(Currency),
    countries: z
      .array(z.string())
      .meta({ description: 'ISO 3166-1 alpha-2; none where it says nothing of that', example: ['CI', 'SN'] }),
    limits: z.record(z.string(), z.object({ min: z.int(), max: z.int() })).meta({
      description: 'By currency, in minor units, both included; a currency without an entry: 1 to 10^15',
    }),
    asksOnPhone: z.boolean(),
  })
  .meta({ id: 'PaymentProvider' })

/** Returns the providers that are switched on and would take such a payment, by name. There is never a second page. */
export async function listProviders(
  { providers }: { providers: Pick<Providers, 'all'> },
  query: z.infer<typeof ProvidersQuery>,
) {
  if (query.amount !== undefined && query.currency === undefined) {
    throw invalidField('currency', 'must be given with amount')
  }
  const items = (await providers.all())
    .filter(({ provider }) => takes(provider, query))
    .map(({ name, provider }) => ({
      name,
      currencies: provider.currencies === 'any' ? [...Currency.options] : [...provider.currencies],
      countries: provider.countries === 'any' ? [] : [...provider.countries],
      limits: { ...provider.limits },
      asksOnPhone: provider.asksOnPhone ?? false,
    }))
  return { items, nextCursor: null }
}

function takes(
  { currencies, countries, limits, refuses }: PaymentProvider,
  { country, currency, amount }: z.infer<typeof ProvidersQuery>,
): boolean {
  if (country !== undefined && countries !== 'any' && !countries.includes(country)) return false
  if (currency === undefined) return true
  if (currencies !== 'any' && !currencies.includes(currency)) return false
  if (amount === undefined) return true
  const { min, max } = limits?.[currency] ?? { min: 1, max: AMOUNT_LIMIT }
  return amount >= min && amount <= max && refuses?.({ amount, currency }) === undefined
}
