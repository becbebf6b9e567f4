import { type Config, dependency } from './config.ts'
import { type Clock, systemClock } from './kernel/clock.ts'
import type { HmacKeys } from './kernel/signed-token.ts'
import { parseAs, readParameter, remember } from './secrets.ts'

const READS = ['HMAC_KEYS', 'HMAC_KEYS_PARAMETER'] as const

/** Opens the HMAC keys: inline ones, or those of a parameter, which is read at their first use and every five minutes. */
export const openHmacKeys = (config: Config<(typeof READS)[number]>, now: Clock): HmacKeys =>
  remember(async () => {
    if (config.HMAC_KEYS) return config.HMAC_KEYS
    // The configuration holds one of the two.
    const text = await readParameter(config.HMAC_KEYS_PARAMETER ?? '')
    return parseAs('HMAC_KEYS', text) ?? []
  }, now)

/** The HMAC keys, as a dependency of functions. */
export const hmacKeys = dependency(READS, (config): HmacKeys => openHmacKeys(config, systemClock))
