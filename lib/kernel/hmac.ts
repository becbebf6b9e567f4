import { createHmac, timingSafeEqual } from 'node:crypto'

/** The HMAC-SHA-256 of a text. */
export const hmacOf = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

/**
 * Whether one of the keys made this HMAC of the text. Compares in constant time. The HMAC may be cut short: its length is
 * for the caller to check.
 */
export const isHmacOf = (keys: readonly Buffer[], text: string, given: Buffer): boolean =>
  given.length > 0 && keys.some((key) => isSame(hmacOf(key, text).subarray(0, given.length), given))

const isSame = (one: Buffer, other: Buffer): boolean =>
  one.length === other.length && timingSafeEqual(one, other)
