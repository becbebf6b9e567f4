import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { sha256, signatureBytes } from './signatures.ts'

/** The platform's own AES-256 keys, newest first: the first encrypts, each of them decrypts. */
export type DataKeys = () => Promise<readonly Buffer[]>

const IV_BYTES = 12
const TAG_BYTES = 16

/**
 * Encrypts a text with AES-256-GCM under the newest key. `owner`, the id of the account that it belongs to, is
 * authenticated with it: a text that was moved to another account does not open.
 */
export async function seal(keys: DataKeys, owner: string, text: string): Promise<string> {
  const [key] = await keys()
  if (key === undefined) throw new Error('DATA_KEYS holds no key')
  return sealUnder(key, owner, text)
}

/** Decrypts what `seal` made for this owner. Throws if its key is no longer configured, or the text was changed or moved. */
export async function unseal(keys: DataKeys, owner: string, sealed: string): Promise<string> {
  const text = openUnder(await keys(), owner, sealed)
  if (text === undefined)
    throw new Error('DATA_KEYS no longer holds the key of a secret, or the secret was changed')
  return text
}

/** Encrypts a text under a key, for one owner or purpose. No two results are the same. */
export function sealUnder(key: Buffer, owner: string, text: string): string {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(owner))
  const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return `${markOf(key)}.${sealed.toString('base64url')}`
}

/** Decrypts what `sealUnder` made for this owner with one of the keys. Returns undefined for any other text. */
export function openUnder(keys: readonly Buffer[], owner: string, sealed: string): string | undefined {
  const [mark = '', encoded = '', ...rest] = sealed.split('.')
  const key = keys.find((each) => markOf(each) === mark)
  const bytes = signatureBytes(encoded, 'base64url')
  if (!key || !bytes || bytes.length < IV_BYTES + TAG_BYTES || rest.length > 0) return undefined
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), {
    authTagLength: TAG_BYTES,
  })
    .setAAD(Buffer.from(owner))
    .setAuthTag(bytes.subarray(-TAG_BYTES))
  const text = decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES))
  try {
    return Buffer.concat([text, decipher.final()]).toString('utf8')
  } catch {
    // The bytes were changed or moved, or are of another owner.
    return undefined
  }
}

/** Whether a text was encrypted under the newest key. */
export async function isSealedByNewest(keys: DataKeys, sealed: string): Promise<boolean> {
  const [key] = await keys()
  return key !== undefined && sealed.startsWith(`${markOf(key)}.`)
}

/** Names a key without giving it away. */
const markOf = (key: Buffer): string =>
  sha256(Buffer.concat([Buffer.from('data-key'), key]), 'base64url').slice(0, 8)
