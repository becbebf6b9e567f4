import * as z from 'zod'
import { type Clock, MINUTE_SECONDS, secondsAfter } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'

/** The configuration of every provider that is switched on, by its name; each provider parses its own. */
export const ProviderSettings = z.record(z.string(), z.record(z.string(), z.unknown()))
export type ProviderSettings = z.infer<typeof ProviderSettings>

/** Where the settings come from. */
export type SettingsSource = {
  /** The settings, at most five minutes old. */
  current: () => Promise<ProviderSettings>
  /**
   * The settings read again, after a signature did not fit the current ones; undefined when these are new enough or
   * cannot change.
   */
  renewed: () => Promise<ProviderSettings | undefined>
}

/** Settings that are written in the environment. */
export const inlineSettings = (settings: ProviderSettings): SettingsSource => ({
  current: async () => settings,
  renewed: async () => undefined,
})

const LIFETIME_SECONDS = 5 * MINUTE_SECONDS
/**
 * The secret is read again at most once in this time, however many forged callbacks arrive, and not sooner after a
 * reading that failed: each request would wait until the next one fails, too.
 */
const RENEWAL_SECONDS = 10

/**
 * Opens the settings in a secret, which is read when first needed. When it cannot be read again, the settings of the
 * last reading stay in use. Throws `unavailable` while it was never read, and an `Error` for a secret without settings.
 */
export function secretSettings(read: () => Promise<string>, now: Clock): SettingsSource {
  let known: { settings: ProviderSettings; readAt: Date } | undefined
  let failedAt: Date | undefined
  let reading: Promise<ProviderSettings> | undefined

  const load = async () => {
    try {
      const settings = ProviderSettings.parse(JSON.parse(await read()))
      known = { settings, readAt: now() }
      return settings
    } catch (cause) {
      if (known) {
        failedAt = now()
        return known.settings
      }
      if (cause instanceof z.ZodError || cause instanceof SyntaxError) {
        throw new Error('PAYMENT_PROVIDERS_SECRET is not a JSON object of objects', { cause })
      }
      throw new DomainError('unavailable', { cause })
    } finally {
      reading = undefined
    }
  }
  const isPaused = () => failedAt !== undefined && now() < secondsAfter(failedAt, RENEWAL_SECONDS)
  const isOutdated = (seconds: number) =>
    !known || (secondsAfter(known.readAt, seconds) <= now() && !isPaused())
  const refresh = () => {
    reading ??= load()
    return reading
  }
  return {
    current: async () => (known && !isOutdated(LIFETIME_SECONDS) ? known.settings : refresh()),
    renewed: async () => (isOutdated(RENEWAL_SECONDS) ? refresh() : undefined),
  }
}
