import { argon2 as argon2Callback, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import * as z from 'zod'
import { PASSWORD_MAX_LENGTH } from './password-rule.ts'

const argon2 = promisify(argon2Callback)

/** A password as typed, at most 1,024 characters, so that hashing one has a bounded cost. */
export const Password = z.string().min(1).max(1024).meta({ example: 'four quiet herons wade' })

/** A password that is chosen. Its bounds are those of `refuseWeakPassword`, which says what is wrong with it. */
export const NewPassword = Password.meta({
  id: 'NewPassword',
  maxLength: PASSWORD_MAX_LENGTH,
  example: 'seven slow ferries cross',
})

/** OWASP's Argon2id setting for interactive logins: 19 MiB (`memory` is in KiB), two passes, about 30 ms. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 }
const TAG_BYTES = 32

export type HashPassword = (password: string) => Promise<string>

/** Returns the hash of a password, NFKC first (RFC 8265), as a PHC string with its cost and a salt of its own. */
export async function hashPassword(password: string, cost = COST): Promise<string> {
  const nonce = randomBytes(16)
  const message = password.normalize('NFKC')
  const tag = await argon2('argon2id', { ...cost, tagLength: TAG_BYTES, message, nonce })
  const { memory, passes, parallelism } = cost
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(nonce)}$${unpadded(tag)}`
}

/**
 * Whether a password is the hashed one. Without a hash the check takes as long and returns false, so that the clock
 * cannot reveal an unknown account.
 */
export async function verifyPassword(password: string, hash: string | undefined): Promise<boolean> {
  const [, memory, passes, parallelism, nonce = '', expected = ''] = PHC.exec(hash ?? HASH_OF_NOBODY) ?? []
  const tag = await argon2('argon2id', {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    tagLength: TAG_BYTES,
    message: password.normalize('NFKC'),
    nonce: Buffer.from(nonce, 'base64'),
  })
  return timingSafeEqual(tag, Buffer.from(expected, 'base64')) && hash !== undefined
}

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]{22})\$([A-Za-z0-9+/]{43})$/
const HASH_OF_NOBODY = `$argon2id$v=19$m=19456,t=2,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')
