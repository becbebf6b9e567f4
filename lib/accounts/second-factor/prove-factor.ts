import * as z from 'zod'
import type { Timestamp } from '#lib/kernel/clock'
import { type DataKeys, isSealedByNewest, seal, unseal } from '#lib/kernel/sealed'
import type { Factors } from './factors.ts'
import { verifyAssertion } from './passkey.ts'
import { PasskeyCredential } from './passkey-options.ts'
import type { PasskeySettings } from './passkey-settings.ts'
import { useRecoveryCode } from './recovery-codes.ts'
import { stepOfCode } from './totp.ts'

/** Six digits of an authenticator app, or a recovery code. */
export const FactorCode = z.string().trim().min(1).max(100).meta({ example: '492039' })

/** The code or the passkey of a request that takes either. */
export const factorProof = {
  code: FactorCode.optional().meta({ description: 'Six digits or a recovery code' }),
  credential: PasskeyCredential.optional(),
}
type FactorProof = { code?: string | undefined; credential?: unknown }

/** Returns the kind of proof: six digits are an authenticator app's, every other code is a recovery code. */
export function kindOfProof({ code }: FactorProof): 'totp' | 'recovery_code' | 'passkey' {
  if (code === undefined) return 'passkey'
  return /^\d{3}[\s-]?\d{3}$/.test(code) ? 'totp' : 'recovery_code'
}

/** A factor that was proven. */
export type ProvenFactor = {
  /** The factors after the use, for which the same proof no longer works. */
  next: Factors
  /** The values added to `amr` (RFC 8176). */
  amr: readonly string[]
  /** When the factor was added. */
  since: Timestamp
}

/** The dependencies for proving a factor. */
export type ProofDeps = { dataKeys: DataKeys; passkeys: PasskeySettings }

/** Proves a factor of an account once. Returns undefined for a wrong, spent or unknown one. */
export async function proveFactor(
  deps: ProofDeps,
  factors: Factors,
  proof: FactorProof & { challenge: string | undefined },
  now: Date,
): Promise<ProvenFactor | undefined> {
  const kind = kindOfProof(proof)
  if (kind === 'passkey') return provePasskey(deps, factors, proof, now)
  if (kind === 'totp') return proveTotp(deps, factors, proof.code ?? '', now)
  const next = useRecoveryCode(factors, proof.code ?? '')
  if (!next || !factors.recoveryCodes) return undefined
  return { next, amr: AMR_OF_CODE, since: factors.recoveryCodes.createdAt }
}

const AMR_OF_CODE = ['otp', 'mfa']
const AMR_OF_PASSKEY = ['pop', 'user', 'mfa']

async function proveTotp(
  { dataKeys }: ProofDeps,
  factors: Factors,
  code: string,
  now: Date,
): Promise<ProvenFactor | undefined> {
  const { totp } = factors
  if (!totp) return undefined
  const secret = await unseal(dataKeys, factors.userId, totp.sealedSecret)
  const step = stepOfCode(secret, code.replace(/[\s-]/g, ''), { lastStep: totp.lastStep, now })
  if (step === undefined) return undefined
  // A use seals the secret again if its key is not the newest, so that older keys can be retired.
  const isNewest = await isSealedByNewest(dataKeys, totp.sealedSecret)
  const sealedSecret = isNewest ? totp.sealedSecret : await seal(dataKeys, factors.userId, secret)
  return {
    next: { ...factors, totp: { ...totp, sealedSecret, lastStep: step } },
    amr: AMR_OF_CODE,
    since: totp.createdAt,
  }
}

async function provePasskey(
  { passkeys: settings }: ProofDeps,
  factors: Factors,
  { challenge, credential }: { challenge: string | undefined; credential?: unknown },
  now: Date,
): Promise<ProvenFactor | undefined> {
  if (challenge === undefined) return undefined
  const used = await verifyAssertion({ settings, challenge, credential, now }, factors)
  if (!used) return undefined
  const passkeys = factors.passkeys.map((passkey) => (passkey.id === used.id ? used : passkey))
  return { next: { ...factors, passkeys }, amr: AMR_OF_PASSKEY, since: used.createdAt }
}

/** The order of the values of `amr`. */
const METHODS = ['pwd', 'otp', 'pop', 'user', 'mfa']

/** Merges the `amr` of several proofs: each value once, always in one order. */
export const mergeMethods = (...methods: readonly (readonly string[])[]): string[] =>
  METHODS.filter((method) => methods.some((each) => each.includes(method)))
