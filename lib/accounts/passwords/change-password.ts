import * as z from 'zod'
import type { Account } from '#lib/accounts/account'
import type { AccountStore } from '#lib/accounts/account-store'
import type { Device } from '#lib/accounts/device'
import type { SignedInCaller } from '#lib/accounts/reread-caller'
import type { Throttle } from '#lib/accounts/throttle/throttle'
import { type Clock, timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import type { NewId, SessionId } from '#lib/kernel/id'
import { retryConflicts } from '#lib/kernel/retry'
import { announceNewPassword } from './announce-new-password.ts'
import { hashPassword, NewPassword, Password } from './password.ts'
import { refuseWeakPassword } from './password-policy.ts'
import type { PasswordStore } from './password-store.ts'
import { proveOwnPassword } from './prove-own-password.ts'

export const PasswordChange = z.object({ currentPassword: Password, newPassword: NewPassword })

type Deps = {
  accounts: AccountStore
  passwords: PasswordStore
  throttle: Throttle
  passwordMinLength: number
  now: Clock
  newId: NewId
}

/**
 * Gives an account a new password. Ends every other session of it at once, and voids its device tokens and a requested
 * change of address; API keys stay. Throws `weak_password`, and for a wrong current password `invalid_credentials`, which
 * counts as a failed sign-in.
 */
export async function changePassword(
  deps: Deps,
  caller: SignedInCaller,
  { currentPassword, newPassword }: z.infer<typeof PasswordChange>,
  { ipAddress }: Device,
): Promise<void> {
  const { accounts, passwordMinLength } = deps
  const proven = caller.account
  await proveOwnPassword(deps, caller, currentPassword, ipAddress)
  await refuseWeakPassword(newPassword, passwordMinLength, proven, { field: 'newPassword' })
  const hash = await hashPassword(newPassword)
  await retryConflicts(async (isRetry) => {
    const account = isRetry ? await accounts.get(proven.id) : proven
    // The password that was proved may have been replaced since.
    if (account?.passwordRevision !== proven.passwordRevision) throw new DomainError('invalid_credentials')
    if (!(caller.sessionId in account.sessions)) throw new DomainError('unauthenticated')
    await replace(deps, account, caller.sessionId, hash)
  })
}

async function replace(deps: Deps, account: Account, kept: SessionId, hash: string) {
  const at = timestamp(deps.now())
  // The kept session still ends at its own time. `changePassword` has checked that it is there.
  const sessions = { [kept]: account.sessions[kept] ?? 0 }
  const next = {
    ...account,
    passwordRevision: account.passwordRevision + 1,
    deviceRevision: account.deviceRevision + 1,
    sessions,
    emailChangeId: null,
    updatedAt: at,
  }
  const password = deps.passwords.put({ userId: account.id, hash, revision: next.passwordRevision })
  const event = announceNewPassword(deps.newId, account.id, { by: 'change', apiKeysEnded: 0 }, at)
  await deps.accounts.save(account, next, [password, event, deps.accounts.requireSession(kept)])
}
