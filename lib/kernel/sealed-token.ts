import { hkdfSync } from 'node:crypto'
import { openUnder, sealUnder } from './sealed.ts'
import { type HmacKeys, newestKey } from './signed-token.ts'

/**
 * Makes a token that only this service can read, for one purpose. Two tokens of the same text differ, and each has one
 * spelling.
 */
export const sealToken = async (keys: HmacKeys, purpose: string, text: string): Promise<string> =>
  sealUnder(keyFor(purpose, await newestKey(keys)), purpose, text)

/** Returns the text inside a token that was sealed for this purpose; undefined for any other token. */
export const openToken = async (
  keys: HmacKeys,
  purpose: string,
  token: string,
): Promise<string | undefined> =>
  openUnder(
    (await keys()).map((key) => keyFor(purpose, key)),
    purpose,
    token,
  )

/** Derives an AES-256 key from an HMAC key (RFC 5869), another one for each purpose. */
const keyFor = (purpose: string, key: Buffer): Buffer =>
  Buffer.from(hkdfSync('sha256', key, '', `sealed-token:${purpose}`, 32))
