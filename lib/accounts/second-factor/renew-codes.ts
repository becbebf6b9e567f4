import * as z from 'zod'
import type { Account } from '#lib/accounts/account'
import { rereadByPassword } from '#lib/accounts/reread-caller'
import { timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import { retryConflicts } from '#lib/kernel/retry'
import { type FactorDeps, saveFactors } from './change-factors.ts'
import { isProtected } from './factors.ts'
import { renewRecoveryCodes } from './recovery-codes.ts'

export const RenewedCodes = z
  .object({
    recoveryCodes: z
      .array(z.string())
      .meta({ description: 'Ten new codes, shown once', example: ['7K3M-9QXR-T2VW-8ZJ4'] }),
  })
  .meta({ id: 'RecoveryCodes' })

/** Makes ten new recovery codes; the old ones are void. Throws `second_factor_missing`. */
export const renewCodes = (deps: FactorDeps, caller: Account): Promise<z.infer<typeof RenewedCodes>> =>
  retryConflicts(async (isRetry) => {
    const account = isRetry ? await rereadByPassword(deps, caller) : caller
    const seen = await deps.factors.get(account.id)
    if (!isProtected(seen)) throw new DomainError('second_factor_missing')
    const { codes, next } = renewRecoveryCodes(seen, timestamp(deps.now()))
    await saveFactors(deps, account, [seen, next])
    return { recoveryCodes: codes }
  })
