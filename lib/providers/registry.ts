import * as z from 'zod'
import { dependency } from '#lib/config/config'
import { readSecret } from '#lib/config/secrets'
import { systemClock } from '#lib/kernel/clock'
import { valueAt } from '#lib/kernel/value-at'
import { type CallOutcome, callReporter, providerHttp, type ReportCall } from './http.ts'
import { providerNeeds } from './needs.derived.ts'
import type {
  NeededKey,
  PaymentProvider,
  ProviderDefinition,
  ProviderHttp,
  ProviderTools,
} from './provider.ts'
import { inlineSettings, type ProviderSettings, type SettingsSource, secretSettings } from './settings.ts'

/**
 * Every provider there is, and the file that defines it. A provider's file is loaded when it is first used, so that a function
 * which serves eighteen of them starts as fast as with one.
 */
const PROVIDERS: Record<string, () => Promise<{ provider: ProviderDefinition }>> = {
  adyen: () => import('#lib/providers/adapters/adyen'),
  'checkout-com': () => import('#lib/providers/adapters/checkout-com'),
  cinetpay: () => import('#lib/providers/adapters/cinetpay'),
  flutterwave: () => import('#lib/providers/adapters/flutterwave'),
  mercadopago: () => import('#lib/providers/adapters/mercadopago'),
  midtrans: () => import('#lib/providers/adapters/midtrans'),
  mollie: () => import('#lib/providers/adapters/mollie'),
  mpesa: () => import('#lib/providers/adapters/mpesa'),
  'mtn-momo': () => import('#lib/providers/adapters/mtn-momo'),
  paypal: () => import('#lib/providers/adapters/paypal'),
  paystack: () => import('#lib/providers/adapters/paystack'),
  razorpay: () => import('#lib/providers/adapters/razorpay'),
  sandbox: () => import('#lib/providers/adapters/sandbox'),
  square: () => import('#lib/providers/adapters/square'),
  'standard-webhooks': () => import('#lib/providers/adapters/standard-webhooks'),
  stripe: () => import('#lib/providers/adapters/stripe'),
  wave: () => import('#lib/providers/adapters/wave'),
  xendit: () => import('#lib/providers/adapters/xendit'),
}

/** The names of all providers there are. */
export const providerNames: readonly string[] = Object.keys(PROVIDERS)

/** The provider accounts of a running service, each by the name that customers choose and callbacks carry. */
export type Providers = {
  /** Returns a provider that is switched on; undefined for any other name. */
  find: (name: string) => Promise<PaymentProvider | undefined>
  /** Reads the settings again and returns the provider with them; undefined when its settings are the same. */
  renewed: (name: string) => Promise<PaymentProvider | undefined>
  /** All that are switched on, by name. */
  all: () => Promise<{ name: string; provider: PaymentProvider }[]>
}

/** Returns the providers of the settings, for a stage. A provider with settings is switched on. */
export function openProviders(
  source: SettingsSource,
  stage: string,
  { report = () => undefined, ...tools }: Omit<ProviderTools, 'callbackUrl'> & { report?: ReportCall },
): Providers {
  // With the text of its settings: a provider keeps its tokens and certificates when the same settings are read again.
  const opened = new Map<string, { text: string; provider: PaymentProvider }>()
  const open = async (name: string, settings: ProviderSettings): Promise<PaymentProvider | undefined> => {
    const config = Object.hasOwn(settings, name) ? settings[name] : undefined
    const load = config && PROVIDERS[adapterOf(name, config)]
    if (!config || !load) return undefined
    const text = JSON.stringify(config)
    const known = opened.get(name)
    if (known?.text === text) return known.provider
    const { provider } = await load()
    const existsHere = provider.onlyAt === undefined || provider.onlyAt === stage
    if (!existsHere) return undefined
    const callbackUrl = `${tools.publicUrl}/payments/callback/${name}`
    const http = withReports(tools.http, (outcome) => report(name, outcome))
    const ready = configured(name, () => provider.open(config, { ...tools, http, callbackUrl }))
    opened.set(name, { text, provider: ready })
    return ready
  }
  return {
    find: async (name) => open(name, await source.current()),
    renewed: async (name) => {
      const before = opened.get(name)?.provider
      const settings = await source.renewed()
      const after = settings && (await open(name, settings))
      return after === before ? undefined : after
    },
    all: async () => {
      const settings = await source.current()
      const names = Object.keys(settings).toSorted()
      const ready = await Promise.all(
        names.map(async (name) => ({ name, provider: await open(name, settings) })),
      )
      return ready.flatMap(({ name, provider }) => (provider ? [{ name, provider }] : []))
    },
  }
}

const REFUSED_CREDENTIALS = [401, 403]

const withReports =
  (call: ProviderHttp, report: (outcome: CallOutcome) => void): ProviderHttp =>
  async (request) => {
    try {
      const answer = await call(request)
      report(REFUSED_CREDENTIALS.includes(answer.status) ? 'failed' : 'answered')
      return answer
    } catch (error) {
      report('failed')
      throw error
    }
  }

/** Throws an error that names the provider and the keys of a wrong configuration, without their values. */
function configured<T>(name: string, open: () => T): T {
  try {
    return open()
  } catch (cause) {
    if (!(cause instanceof z.ZodError)) throw cause
    const wrong = cause.issues.map(({ path, message }) => `${[name, ...path].join('.')}: ${message}`)
    throw new Error(`Configuration: PAYMENT_PROVIDERS: ${wrong.join('; ')}`)
  }
}

/**
 * Returns the name of an account's provider: the `provider` of its settings, else the account's own name. Returns an
 * empty text if there is no such provider.
 */
function adapterOf(name: string, { provider }: ProviderSettings[string]): string {
  const adapter = typeof provider === 'string' ? provider : name
  return Object.hasOwn(PROVIDERS, adapter) ? adapter : ''
}

/**
 * Throws an error that names every key which the settings lack, as `stripe.apiKey`. An account of an unknown name is
 * ignored, but an unknown `provider` in its settings is an error. Call it where settings are inline, so that a missing
 * key stops the start.
 */
export function requireKeys(settings: ProviderSettings): void {
  const needs = providerNeeds()
  const missing = Object.entries(settings).flatMap(([name, config]) => {
    const adapter = adapterOf(name, config)
    if (adapter === '')
      return config['provider'] === undefined ? [] : [`${name}.provider that is one of ours`]
    const lacking = (needs[adapter] ?? []).filter((need) => isMissing(config, need))
    // A key with two needs is named once.
    return [...new Set(lacking.map(({ key }) => `${name}.${key}`))]
  })
  if (missing.length > 0) throw new Error(`Configuration: PAYMENT_PROVIDERS lacks ${missing.join(', ')}`)
}

/** Whether settings lack a key that they need. With `where`, the value of another key decides whether they need it. */
function isMissing(config: ProviderSettings[string], { key, startingWith, where }: NeededKey): boolean {
  const isNeeded = where === undefined || String(config[where.key]).includes(where.includes)
  if (!isNeeded) return false
  const value = valueAt(config, key)
  if (startingWith === undefined) return isBlank(value)
  const texts = [value].flat()
  return !texts.some((text) => typeof text === 'string' && text.trim().startsWith(startingWith))
}

/** Whether a value is missing or empty; of a list, whether it or one of its items is. */
const isBlank = (value: unknown): boolean => {
  if (Array.isArray(value)) return value.length === 0 || value.some(isBlank)
  return value == null || (typeof value === 'string' && value.trim() === '')
}

/** The providers, as a dependency of functions. A key missing in inline settings stops a function's start; in a secret, its request fails. */
export const paymentProviders = dependency(
  ['STAGE', 'PUBLIC_URL', 'PAYMENT_PROVIDERS', 'PAYMENT_PROVIDERS_SECRET'],
  ({ STAGE, PUBLIC_URL, PAYMENT_PROVIDERS, PAYMENT_PROVIDERS_SECRET }) => {
    const source = PAYMENT_PROVIDERS
      ? inlineSettings(PAYMENT_PROVIDERS)
      : secretSettings(() => readSecret(PAYMENT_PROVIDERS_SECRET ?? ''), systemClock)
    return openProviders(source, STAGE, {
      http: providerHttp,
      now: systemClock,
      publicUrl: PUBLIC_URL,
      report: callReporter(STAGE),
    })
  },
  ({ PAYMENT_PROVIDERS }) => requireKeys(PAYMENT_PROVIDERS ?? {}),
)
