import * as z from 'zod'
import type { Clock } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import { type Remembered, remember } from '#lib/kernel/remember'

/** The configuration of every provider that is switched on, by its name; each provider parses its own. */
export const ProviderSettings = z.record(z.string(), z.record(z.string(), z.unknown()))
export type ProviderSettings = z.infer<typeof ProviderSettings>

/** Where the settings come from. They are read again, too, after a signature did not fit the current ones. */
export type SettingsSource = Remembered<ProviderSettings>

/** Settings that are written in the environment. */
export const inlineSettings = (settings: ProviderSettings): SettingsSource => ({
  current: async () => settings,
  renewed: async () => undefined,
})

/**
 * Opens the settings in a secret. Throws `unavailable` while it was never read, and an `Error` for a secret without
 * settings.
 */
export const secretSettings = (read: () => Promise<string>, now: Clock): SettingsSource =>
  remember(async () => {
    try {
      return ProviderSettings.parse(JSON.parse(await read()))
    } catch (cause) {
      if (cause instanceof z.ZodError || cause instanceof SyntaxError) {
        throw new Error('PAYMENT_PROVIDERS_SECRET is not a JSON object of objects', { cause })
      }
      throw new DomainError('unavailable', { cause })
    }
  }, now)
