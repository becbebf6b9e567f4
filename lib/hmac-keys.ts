import { type Config, dependency } from './config.ts'
import { type Clock, systemClock } from './kernel/clock.ts'
import type { HmacKeys } from './kernel/signed-token.ts'
import { parseAs, readParameter, remember } from './secrets.ts'

const READS = ['HMAC_KEYS', 'HMAC_KEYS_PARAMETER'] as const

/**
 * Opens the HMAC keys: inline, or from a parameter that is read when the keys are first needed, and again after five
 * minutes.
 */
export const openHmacKeys = (config: Config<(typeof READS)[number]>, now: Clock): HmacKeys =>
  remember(
    async () =>
      config.HMAC_KEYS ?? parseAs('HMAC_KEYS', await readParameter(config.HMAC_KEYS_PARAMETER ?? '')) ?? [],
    now,
  )

/** The function's HMAC keys. */
export const hmacKeys = dependency(READS, (config): HmacKeys => openHmacKeys(config, systemClock))
