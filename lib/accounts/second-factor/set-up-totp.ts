import * as z from 'zod'
import type { Account } from '#lib/accounts/account'
import type { AccountReader } from '#lib/accounts/account-store'
import {
  rereadByPassword,
  rereadByRegistration,
  rereadBySession,
  type SignedInCaller,
} from '#lib/accounts/reread-caller'
import { MINUTE_SECONDS, secondsAfter, Timestamp, timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import { retryConflicts } from '#lib/kernel/retry'
import { type DataKeys, seal, unseal } from '#lib/kernel/sealed'
import { type FactorDeps, saveFactors } from './change-factors.ts'
import type { FactorStore } from './factor-store.ts'
import { FactorCode } from './prove-factor.ts'
import { ShownRecoveryCodes, withRecoveryCodes } from './recovery-codes.ts'
import { newTotpSecret, stepOfCode, totpUri } from './totp.ts'

const SETUP_SECONDS = 10 * MINUTE_SECONDS

/** An authenticator app to set up. */
export const TotpSetup = z
  .object({
    secret: z.string().meta({ description: 'Base32, to type in', example: 'GEZDGNBVGY3TQOJQ' }),
    uri: z.string().meta({
      description: '`otpauth://`, to show as a QR code',
      example: 'otpauth://totp/Example:awa%40example.com?secret=GEZDGNBVGY3TQOJQ&issuer=Example',
    }),
    expiresAt: Timestamp.meta({ example: '2026-12-20T17:00:00.000Z' }),
  })
  .meta({ id: 'TotpSetup' })

export const TotpConfirmation = z.object({ code: FactorCode })

/** The answer to a confirmed authenticator app. */
export const AddedFactor = z.object({ recoveryCodes: ShownRecoveryCodes }).meta({ id: 'AddedFactor' })

/** Begins to set up an authenticator app; an unconfirmed one is replaced. Throws `second_factor_exists`. */
export const beginTotp = (
  {
    accounts,
    factors,
    dataKeys,
    settings,
    now,
  }: Pick<FactorDeps, 'now'> & {
    accounts: AccountReader
    factors: FactorStore
    dataKeys: DataKeys
    settings: { PUBLIC_URL: string }
  },
  caller: Account,
): Promise<z.infer<typeof TotpSetup>> =>
  retryConflicts(async (isRetry) => {
    const account = isRetry ? await rereadByRegistration({ accounts }, caller) : caller
    const seen = await factors.get(account.id)
    if (seen.totp) throw new DomainError('second_factor_exists')
    const secret = newTotpSecret()
    const expiresAt = timestamp(secondsAfter(now(), SETUP_SECONDS))
    const pendingTotp = { sealedSecret: await seal(dataKeys, account.id, secret), expiresAt }
    // The secret of an account that was deleted or banned meanwhile must not be stored.
    await factors.commit([
      ...factors.replace(seen, { ...seen, pendingTotp }),
      accounts.requireUnchanged(account),
    ])
    // Authenticator apps list the account under the host of the service.
    const issuer = new URL(settings.PUBLIC_URL).hostname
    return { secret, uri: totpUri(secret, issuer, account.email), expiresAt }
  })

/**
 * Confirms the authenticator app by its first code, which then counts as used. Throws `invalid_code`, and
 * `second_factor_missing` where no set-up is open.
 */
export const confirmTotp = (
  deps: FactorDeps & { accounts: AccountReader; dataKeys: DataKeys },
  caller: SignedInCaller,
  { code }: z.infer<typeof TotpConfirmation>,
): Promise<z.infer<typeof AddedFactor>> =>
  retryConflicts(async (isRetry) => {
    const account = isRetry ? await rereadBySession(deps, caller) : caller.account
    const seen = await deps.factors.get(account.id)
    const { pendingTotp } = seen
    const now = deps.now()
    if (!pendingTotp || pendingTotp.expiresAt <= timestamp(now))
      throw new DomainError('second_factor_missing')
    const secret = await unseal(deps.dataKeys, account.id, pendingTotp.sealedSecret)
    // No code of this secret was used before.
    const lastStep = stepOfCode(secret, code.replace(/[\s-]/g, ''), { lastStep: 0, now })
    if (lastStep === undefined) throw new DomainError('invalid_code')
    const totp = { sealedSecret: pendingTotp.sealedSecret, createdAt: timestamp(now), lastStep }
    const { codes, next } = withRecoveryCodes({ ...seen, totp, pendingTotp: null }, timestamp(now))
    await saveFactors(deps, account, [seen, next], [deps.accounts.requireSession(caller.sessionId)])
    return { recoveryCodes: codes }
  })

/** Removes the authenticator app, where there is one. */
export const removeTotp = (deps: FactorDeps, caller: Account): Promise<void> =>
  retryConflicts(async (isRetry) => {
    const account = isRetry ? await rereadByPassword(deps, caller) : caller
    const seen = await deps.factors.get(account.id)
    if (!seen.totp && !seen.pendingTotp) return
    // Recovery codes go with the last factor.
    const recoveryCodes = seen.passkeys.length > 0 ? seen.recoveryCodes : null
    await saveFactors(deps, account, [seen, { ...seen, totp: null, pendingTotp: null, recoveryCodes }])
  })
