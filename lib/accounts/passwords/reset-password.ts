import * as z from 'zod'
import type { Account } from '#lib/accounts/account'
import type { AccountStore } from '#lib/accounts/account-store'
import type { Device } from '#lib/accounts/device'
import {
  isPasswordUnchanged,
  LinkToken,
  type MailedLinks,
  openLink,
} from '#lib/accounts/mailed-links/mailed-link'
import { dropFactorsExcept, isEstablished } from '#lib/accounts/second-factor/change-factors'
import type { FactorStore } from '#lib/accounts/second-factor/factor-store'
import { countAttempt, LINK_TOKENS } from '#lib/accounts/throttle/count-attempt'
import { withNetwork, withReadersNetwork } from '#lib/accounts/throttle/known-networks'
import type { Throttle } from '#lib/accounts/throttle/throttle'
import { type Clock, type Timestamp, timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import type { NewId } from '#lib/kernel/id'
import { retryConflicts } from '#lib/kernel/retry'
import type { HmacKeys } from '#lib/kernel/signed-token'
import type { Write } from '#lib/kernel/write'
import { announceNewPassword } from './announce-new-password.ts'
import { hashPassword, NewPassword } from './password.ts'
import { refuseWeakPassword } from './password-policy.ts'
import type { PasswordStore } from './password-store.ts'

export const PasswordReset = z.object({ token: LinkToken, newPassword: NewPassword })

/**
 * Clears what a stranger entered, at the first reset of a never verified account. Returns the account to store in
 * place of `reset`, and the writes of the same transaction.
 */
export type TakeBack = (account: Account, reset: Account) => { next: Account; also: readonly Write[] }

type Deps = {
  accounts: AccountStore
  passwords: PasswordStore
  mailedLinks: MailedLinks
  factors: FactorStore
  takeBack: TakeBack
  hmacKeys: HmacKeys
  passwordMinLength: number
  throttle: Throttle
  now: Clock
  newId: NewId
}

/**
 * Gives an account a new password by a mailed link, once. Ends every session of it and voids its other reset links.
 * The first reset of a never verified address verifies it and hands the account to the address's owner, see
 * `TakeBack`. Removes second factors younger than 72 hours. Throws `invalid_token`, and `weak_password`, after which the link
 * still works.
 */
export async function resetPassword(
  deps: Deps,
  { token, newPassword }: z.infer<typeof PasswordReset>,
  { ipAddress }: Device,
): Promise<void> {
  await countAttempt(deps, LINK_TOKENS, ipAddress)
  // Kept for a retry, since hashing is slow on purpose.
  let hash: string | undefined
  return retryConflicts(async () => {
    const { accounts, mailedLinks, now } = deps
    const { link, account } = await openLink(deps, 'password-reset', token)
    if (!isPasswordUnchanged(link, account)) throw new DomainError('invalid_token')
    await refuseWeakPassword(newPassword, deps.passwordMinLength, account, { field: 'newPassword' })
    hash ??= await hashPassword(newPassword)
    const removed = await dropFactorsExcept(deps, account, (createdAt) =>
      isKeptByReset(account, createdAt, now()),
    )
    const at = timestamp(now())
    const reset: Account = {
      ...account,
      passwordRevision: account.passwordRevision + 1,
      provenAt: account.provenAt ?? at,
      sessions: {},
      apiKeys: {},
      factors: removed.summary,
      // The reader of the mail is no stranger: from this network they may sign in while strangers guess. Until the address
      // is verified, the known networks may be a stranger's.
      knownNetworks: account.provenAt
        ? withReadersNetwork(account, ipAddress)
        : withNetwork({ ...account, knownNetworks: {} }, ipAddress, now()),
      deviceRevision: account.deviceRevision + 1,
      updatedAt: at,
    }
    const password = deps.passwords.put({ userId: account.id, hash, revision: reset.passwordRevision })
    const ended = { by: 'reset', apiKeysEnded: Object.keys(account.apiKeys).length } as const
    const event = announceNewPassword(deps.newId, account.id, ended, reset.updatedAt)
    const { next, also } = account.provenAt ? { next: reset, also: [] } : deps.takeBack(account, reset)
    await accounts.save(account, next, [mailedLinks.use(link), password, event, ...removed.writes, ...also])
  })
}

/**
 * Whether a factor outlives a reset. A thief of the mailbox may have added a young one, and a stranger those of an account
 * that was never verified.
 */
const isKeptByReset = ({ provenAt }: Account, createdAt: Timestamp, now: Date): boolean =>
  provenAt !== null && isEstablished(createdAt, now)
