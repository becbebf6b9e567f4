import * as z from 'zod'
import { type Clock, secondsAfter } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'

/** The configuration of every provider that is switched on, by its name; each provider parses its own. */
export const ProviderSettings = z.record(z.string(), z.record(z.string(), z.unknown()))
export type ProviderSettings = z.infer<typeof ProviderSettings>

/** Where the settings come from. */
export type SettingsSource = {
  /** The settings, at most five minutes old. */
  current: () => Promise<ProviderSettings>
  /** The settings read again, for who doubts the current ones; undefined when that would be no news. */
  renewed: () => Promise<ProviderSettings | undefined>
}

/** Settings that are written in the environment. */
export const inlineSettings = (settings: ProviderSettings): SettingsSource => ({
  current: async () => settings,
  renewed: async () => undefined,
})

const LIFETIME_SECONDS = 5 * 60
/** Forged callbacks make us doubt as often as their sender likes; the secret is read no oftener than this. */
const RENEWAL_SECONDS = 10

/**
 * Settings that are kept as a secret, read when first needed. When it cannot be read again, what was read
 * last goes on; when it was never read, `unavailable`. A secret that is no settings is an error of ours.
 */
export function secretSettings(read: () => Promise<string>, now: Clock): SettingsSource {
  let known: { settings: ProviderSettings; readAt: Date } | undefined
  let reading: Promise<ProviderSettings> | undefined

  const load = async () => {
    try {
      const settings = ProviderSettings.parse(JSON.parse(await read()))
      known = { settings, readAt: now() }
      return settings
    } catch (cause) {
      if (known) return known.settings
      if (cause instanceof z.ZodError || cause instanceof SyntaxError) {
        throw new Error('PAYMENT_PROVIDERS_SECRET is not a JSON object of objects', { cause })
      }
      throw new DomainError('unavailable', { cause })
    } finally {
      reading = undefined
    }
  }
  const isOlderThan = (seconds: number) => !known || secondsAfter(known.readAt, seconds) <= now()
  const refresh = () => {
    reading ??= load()
    return reading
  }
  return {
    current: async () => (known && !isOlderThan(LIFETIME_SECONDS) ? known.settings : refresh()),
    renewed: async () => (isOlderThan(RENEWAL_SECONDS) ? refresh() : undefined),
  }
}
