import { dependency } from './config.ts'
import type { HmacKeys } from './kernel/signed-token.ts'
import { once, parseAs, readParameter } from './secrets.ts'

/** The function's HMAC keys, inline or from a parameter that is read at the first request that needs them. */
export const hmacKeys = dependency(
  ['HMAC_KEYS', 'HMAC_KEYS_PARAMETER'],
  (config): HmacKeys =>
    once(
      async () =>
        config.HMAC_KEYS ?? parseAs('HMAC_KEYS', await readParameter(config.HMAC_KEYS_PARAMETER ?? '')) ?? [],
    ),
)
