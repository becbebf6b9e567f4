import { createHmac, timingSafeEqual } from 'node:crypto'

/** Keys of the platform's own MACs; the first makes new ones, every one is accepted. */
export type HmacKeys = () => Promise<readonly Buffer[]>

/** What a token is for: one of another purpose does not pass. */
export type TokenPurpose = 'refresh-token' | 'password-reset' | 'email-verification'

const SHAPE = /^([\w.-]{1,100})\.([A-Za-z0-9_-]{43})$/

/**
 * A token that says openly what it names and carries an HMAC-SHA-256 over that and its purpose: the same
 * whenever it is made again, and unguessable without the key. `name` holds letters, digits, `_`, `-` and dots.
 */
export const signToken = (key: Buffer, purpose: TokenPurpose, name: string): string =>
  `${name}.${macOf(key, purpose, name).toString('base64url')}`

/** What a token names, if one of the keys made it for this purpose. Compares in constant time. */
export function readToken(keys: readonly Buffer[], purpose: TokenPurpose, token: string): string | undefined {
  const [, name = '', mac = ''] = SHAPE.exec(token) ?? []
  const given = Buffer.from(mac, 'base64url')
  // The last character of a text has bits to spare; only one spelling of a token is the token.
  if (given.toString('base64url') !== mac || given.length === 0) return undefined
  const isOurs = keys.some((key) => timingSafeEqual(macOf(key, purpose, name), given))
  return isOurs ? name : undefined
}

/** The key that makes new tokens. */
export async function signingKey(keys: HmacKeys): Promise<Buffer> {
  const [key] = await keys()
  if (key === undefined) throw new Error('HMAC_KEYS holds no key')
  return key
}

const macOf = (key: Buffer, purpose: TokenPurpose, name: string): Buffer =>
  createHmac('sha256', key).update(`${purpose}:${name}`).digest()
