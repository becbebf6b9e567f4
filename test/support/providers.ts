import type { ProviderHttp } from '#lib/providers/provider'
import { openProviders, providerNames } from '#lib/providers/registry'
import { inlineSettings, type ProviderSettings } from '#lib/providers/settings'
import type { ProviderExample } from '#test/providers/adapters/example'

export const STRIPE_SECRET = 'whsec_test'
export const PAYSTACK_KEY = 'sk_test_paystack'

/** Settings under which every provider of this service is switched on: those of its example. */
export const SETTINGS: ProviderSettings = Object.fromEntries(
  await Promise.all(
    providerNames.map(async (name) => {
      const { example }: { example: ProviderExample } = await import(
        `../providers/adapters/examples/${name}.ts`
      )
      return [name, example.settings]
    }),
  ),
)

const nobodyAnswers: ProviderHttp = async ({ url }) => {
  throw new Error(`Nobody answers at ${url}`)
}

/** Providers as the service opens them, with the clock and the network of a test. */
export const testProviders = (
  settings: ProviderSettings = SETTINGS,
  { now = () => new Date(), http = nobodyAnswers }: { now?: () => Date; http?: ProviderHttp } = {},
) => openProviders(inlineSettings(settings), 'local', { http, now, publicUrl: 'https://api.platform.test' })
