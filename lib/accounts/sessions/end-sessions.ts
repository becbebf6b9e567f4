import * as z from 'zod'
import type { Account } from '#lib/accounts/account'
import type { AccountStore } from '#lib/accounts/account-store'
import type { Clock } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import type { SessionId } from '#lib/kernel/id'
import { retryConflicts } from '#lib/kernel/retry'
import { liveSessions } from './session.ts'

/** `all` signs out every device. */
export const LogoutRequest = z.object({ all: z.boolean().optional() }).meta({ example: { all: true } })

/** Ends the caller's session. With `all`, ends all of them and voids device tokens. */
export async function logout(
  { accounts }: { accounts: AccountStore },
  caller: Account,
  current: SessionId,
  { all = false }: z.infer<typeof LogoutRequest>,
): Promise<void> {
  if (!all) return accounts.endSession(caller.id, current)
  await retryConflicts(async (isRetry) => {
    const account = isRetry ? await accounts.get(caller.id) : caller
    // The account was deleted meanwhile.
    if (!account) return
    const deviceRevision = account.deviceRevision + 1
    await accounts.save(account, { ...account, sessions: {}, deviceRevision })
  })
}

/** Ends one of the caller's sessions. Another person's session is `not_found`, like an unknown one. */
export async function endSession(
  { accounts, now }: { accounts: AccountStore; now: Clock },
  account: Account,
  id: SessionId,
): Promise<void> {
  if (!liveSessions(account.sessions, now()).includes(id)) throw new DomainError('not_found')
  await accounts.endSession(account.id, id)
}
