import * as z from 'zod'
import type { Timestamp } from '#lib/kernel/clock'
import type { UserId } from '#lib/kernel/id'
import { makeSecret } from '#lib/kernel/random'
import { sha256 } from '#lib/kernel/signatures'
import type { Factors } from './factors.ts'

/** Recovery codes as they are shown, once. */
export const ShownRecoveryCodes = z.array(z.string()).meta({
  description: 'Ten codes, shown once; empty where there are some already',
  example: ['7K3M-9QXR-T2VW-8ZJ4'],
})

const COUNT = 10
const BYTES = 10
/** Crockford's base 32: no letter looks like a digit. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Makes ten recovery codes of 80 bits each, and the factors with their hashes in place of older ones. */
export function renewRecoveryCodes(factors: Factors, at: Timestamp): { codes: string[]; next: Factors } {
  const codes = Array.from({ length: COUNT }, newCode)
  const hashes = codes.map((code) => hashOf(factors.userId, code))
  return { codes, next: { ...factors, recoveryCodes: { hashes, createdAt: at } } }
}

/** Makes recovery codes where none are left: an account gets them with its first factor. */
export const withRecoveryCodes = (factors: Factors, at: Timestamp): { codes: string[]; next: Factors } =>
  factors.recoveryCodes !== null && factors.recoveryCodes.hashes.length > 0
    ? { codes: [], next: factors }
    : renewRecoveryCodes(factors, at)

/** Returns the factors without a used recovery code; undefined if the code is not one of theirs. */
export function useRecoveryCode(factors: Factors, code: string): Factors | undefined {
  const { recoveryCodes } = factors
  const hash = hashOf(factors.userId, code)
  if (!recoveryCodes?.hashes.includes(hash)) return undefined
  const hashes = recoveryCodes.hashes.filter((each) => each !== hash)
  return { ...factors, recoveryCodes: { ...recoveryCodes, hashes } }
}

function newCode(): string {
  const bits = [...Buffer.from(makeSecret(BYTES), 'base64url')]
    .map((byte) => byte.toString(2).padStart(8, '0'))
    .join('')
  const letters = (bits.match(/.{5}/g) ?? []).map((five) => ALPHABET[Number.parseInt(five, 2)])
  return letters.join('').replace(/(.{4})(?=.)/g, '$1-')
}

/**
 * Returns the hash of a code, however it was typed: in either case, with hyphens and blanks, with `O` for 0 and `I` or
 * `L` for 1.
 */
const hashOf = (userId: UserId, code: string): string => {
  const plain = code.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1')
  return sha256(`${userId}\n${plain}`, 'base64url')
}
