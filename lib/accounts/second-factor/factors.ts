import * as z from 'zod'
import type { FactorSummary } from '#lib/accounts/account'
import { Timestamp } from '#lib/kernel/clock'
import { PasskeyId, UserId } from '#lib/kernel/id'

/** An authenticator app. Its secret is sealed under the data keys. */
const Totp = z.object({
  sealedSecret: z.string(),
  createdAt: Timestamp,
  /** The step of 30 seconds of the last code that worked: neither it nor an older one works again. */
  lastStep: z.int(),
})

/** An authenticator app of which no code has been entered yet. */
const PendingTotp = z.object({ sealedSecret: z.string(), expiresAt: Timestamp })

/** A passkey as it was registered, with the counter of its last use. */
export const Passkey = z.object({
  id: PasskeyId,
  credentialId: z.string(),
  /** COSE, base64url. */
  publicKey: z.string(),
  counter: z.int(),
  transports: z.array(z.string()),
  name: z.string().meta({ example: 'Phone' }),
  createdAt: Timestamp,
  lastUsedAt: Timestamp.nullable().meta({ example: '2026-11-20T16:58:44.031Z' }),
})
export type Passkey = z.infer<typeof Passkey>

/** Hashes of the recovery codes that are left. */
const RecoveryCodes = z.object({ hashes: z.array(z.string()), createdAt: Timestamp })

/** The second factors of an account. `version` rises with each change, so that only one of simultaneous changes is written. */
export const Factors = z.object({
  userId: UserId,
  totp: Totp.nullable(),
  pendingTotp: PendingTotp.nullable(),
  passkeys: z.array(Passkey),
  recoveryCodes: RecoveryCodes.nullable(),
  version: z.int(),
})
export type Factors = z.infer<typeof Factors>

/** Returns an account's factors before the first is added. */
export const noFactors = (userId: UserId): Factors => ({
  userId,
  totp: null,
  pendingTotp: null,
  passkeys: [],
  recoveryCodes: null,
  version: 0,
})

/** Whether there is a factor. Recovery codes alone do not count. */
export const isProtected = ({ totp, passkeys }: Pick<Factors, 'totp' | 'passkeys'>): boolean =>
  totp !== null || passkeys.length > 0

/**
 * Returns the summary of changed factors for the account's record. An added or removed factor raises `revision`, which
 * voids open challenges. Without a factor the announced removal has nothing left to remove.
 */
export const summaryOf = (factors: Factors, before: FactorSummary): FactorSummary => {
  const totp = factors.totp !== null
  const passkeys = factors.passkeys.length
  const hasSameFactors = totp === before.totp && passkeys === before.passkeys
  return {
    ...before,
    totp,
    passkeys,
    recoveryCodes: factors.recoveryCodes?.hashes.length ?? 0,
    revision: hasSameFactors ? before.revision : before.revision + 1,
    ...(!isProtected(factors) && { removal: null }),
  }
}

/**
 * Returns the factors that a rule keeps, by the time each was added. The rule applies to recovery codes, too: whoever
 * added a factor may have seen them. Recovery codes are removed with the last factor, a pending app always.
 */
export function keepFactors(factors: Factors, isKept: (createdAt: Timestamp) => boolean): Factors {
  const totp = factors.totp && isKept(factors.totp.createdAt) ? factors.totp : null
  const passkeys = factors.passkeys.filter(({ createdAt }) => isKept(createdAt))
  const codes = factors.recoveryCodes
  const recoveryCodes = codes && isProtected({ totp, passkeys }) && isKept(codes.createdAt) ? codes : null
  return { ...factors, totp, passkeys, recoveryCodes, pendingTotp: null }
}
