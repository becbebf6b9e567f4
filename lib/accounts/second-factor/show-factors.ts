import * as z from 'zod'
import type { Account } from '#lib/accounts/account'
import { Timestamp } from '#lib/kernel/clock'
import type { FactorReader } from './factor-store.ts'
import { Passkey } from './factors.ts'

export const PasskeyView = Passkey.pick({ id: true, name: true, createdAt: true, lastUsedAt: true }).meta({
  id: 'Passkey',
})

/** The second factors of an account as its owner sees them. */
export const SecondFactorView = z
  .object({
    totp: z.object({ createdAt: Timestamp }).nullable(),
    passkeys: z.array(PasskeyView),
    recoveryCodesLeft: z.int().meta({ example: 9 }),
    removesAt: Timestamp.nullable().meta({
      description:
        'When every factor goes because support was asked for it; a sign-in with an older factor cancels it',
    }),
  })
  .meta({ id: 'SecondFactor' })

/** Reads the second factors of the caller. */
export async function showFactors(
  { factors: store }: { factors: FactorReader },
  account: Account,
): Promise<z.infer<typeof SecondFactorView>> {
  const { totp, passkeys, recoveryCodes } = await store.get(account.id)
  // The schema of the answer drops the other fields of `totp` and the passkeys, such as the secret.
  return {
    totp,
    passkeys,
    recoveryCodesLeft: recoveryCodes?.hashes.length ?? 0,
    removesAt: account.factors.removal?.at ?? null,
  }
}
