import { hmacOf, isHmacOf, signatureBytes } from './signatures.ts'

/** The platform's own HMAC keys, newest first: the first signs, each of them is accepted. */
export type HmacKeys = () => Promise<readonly Buffer[]>

const SHAPE = /^([\w.-]{1,100})\.([A-Za-z0-9_-]{43})$/

/**
 * Makes a token of a readable `name` and an HMAC-SHA-256 over the purpose and that name. The same input gives the
 * same token; without the key no token can be made. `name` holds 1 to 100 letters, digits, `_`, `-` and dots.
 */
export const signToken = (key: Buffer, purpose: string, name: string): string =>
  `${name}.${hmacOf(key, `${purpose}:${name}`).toString('base64url')}`

/**
 * Returns the name inside a token that one of the keys signed for this purpose; undefined for any other text. Compares
 * in constant time.
 */
export function readToken(keys: readonly Buffer[], purpose: string, token: string): string | undefined {
  const [, name = '', mac = ''] = SHAPE.exec(token) ?? []
  const given = signatureBytes(mac, 'base64url')
  return given && isHmacOf(keys, `${purpose}:${name}`, given) ? name : undefined
}

/** Returns the key that signs new tokens. Throws where `HMAC_KEYS` is empty. */
export async function newestKey(keys: HmacKeys): Promise<Buffer> {
  const [key] = await keys()
  if (key === undefined) throw new Error('HMAC_KEYS holds no key')
  return key
}
