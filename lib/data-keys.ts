import { type Config, dependency } from './config.ts'
import { type Clock, systemClock } from './kernel/clock.ts'
import type { DataKeys } from './kernel/sealed.ts'
import { parseAs, readParameter, remember } from './secrets.ts'

const READS = ['DATA_KEYS', 'DATA_KEYS_PARAMETER'] as const

/** Data keys, inline or from a parameter that is read when they are first needed and every five minutes. */
export const openDataKeys = (config: Config<(typeof READS)[number]>, now: Clock): DataKeys =>
  remember(
    async () =>
      config.DATA_KEYS ?? parseAs('DATA_KEYS', await readParameter(config.DATA_KEYS_PARAMETER ?? '')) ?? [],
    now,
  )

/** The data keys, as a dependency of functions. */
export const dataKeys = dependency(READS, (config): DataKeys => openDataKeys(config, systemClock))
