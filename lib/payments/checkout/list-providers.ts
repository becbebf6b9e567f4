import * as z from 'zod'
import { Currency } from '#lib/kernel/money'
import type { Providers } from '#lib/payments/provider/registry'

/** A provider that can be paid through. */
export const ProviderView = z
  .object({
    name: z.string().meta({ example: 'stripe' }),
    currencies: z.array(Currency),
    countries: z
      .array(z.string())
      .meta({ description: 'ISO 3166-1 alpha-2; none where it says nothing of that' }),
  })
  .meta({ id: 'PaymentProvider' })

/** The providers that are switched on, by name. There are never more than one page. */
export async function listProviders({ providers }: { providers: Pick<Providers, 'all'> }) {
  const items = (await providers.all()).map(({ name, provider }) => ({
    name,
    currencies: provider.currencies === 'any' ? [...Currency.options] : [...provider.currencies],
    countries: provider.countries === 'any' ? [] : [...provider.countries],
  }))
  return { items, nextCursor: null }
}
