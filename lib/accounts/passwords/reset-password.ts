import * as z from 'zod'
import type { AccountStore } from '#lib/accounts/account-store'
import type { Device } from '#lib/accounts/device'
import { isOfPassword, LinkToken, type MailedLinks, openLink } from '#lib/accounts/mailed-links/mailed-link'
import type { SessionStore } from '#lib/accounts/sessions/session-store'
import { withAddress } from '#lib/accounts/throttle/network-address'
import { type Clock, timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import type { NewId } from '#lib/kernel/id'
import { retryConflicts } from '#lib/kernel/retry'
import type { HmacKeys } from '#lib/kernel/signed-token'
import type { KycRecords } from '#lib/kyc/kyc-records'
import type { PrivateFiles } from '#lib/privacy/private-files'
import { takeBack } from '#lib/privacy/take-back'
import { hashPassword, Password } from './password.ts'
import { refuseWeakPassword } from './password-policy.ts'

export const PasswordReset = z.object({ token: LinkToken, newPassword: Password })

type Deps = {
  accounts: AccountStore
  sessions: Pick<SessionStore, 'forget'>
  links: MailedLinks
  records: KycRecords
  files: PrivateFiles
  hmacKeys: HmacKeys
  passwordMinLength: number
  now: Clock
  newId: NewId
}

/**
 * Gives an account a new password by a mailed link, once, and ends every session of it at once; its other
 * reset links are void from then on. The first reset of an address that was never proven proves it, and hands
 * the account over to the address's owner: see `takeBack`. Throws `invalid_token`, and `weak_password`, which
 * does not use the link up.
 */
export const resetPassword = (
  deps: Deps,
  { token, newPassword }: z.infer<typeof PasswordReset>,
  { ipAddress }: Device,
): Promise<void> => {
  let passwordHash: string | undefined
  return retryConflicts(async () => {
    const { accounts, sessions, links, now } = deps
    const { link, account } = await openLink(deps, 'password-reset', token)
    if (!isOfPassword(link, account)) throw new DomainError('invalid_token')
    await refuseWeakPassword(newPassword, deps.passwordMinLength, account, 'newPassword')
    passwordHash ??= await hashPassword(newPassword)
    const known = account.emailVerified ? account.knownAddresses : []
    const set = {
      passwordHash,
      emailVerified: true,
      sessions: {},
      // Whoever can read the mail is no stranger: they may sign in while others guess.
      knownAddresses: withAddress(account.id, known, ipAddress),
      updatedAt: timestamp(now()),
    }
    const seen = { passwordHash: account.passwordHash, registration: account.registration }
    await accounts.commit([
      links.use(link),
      ...(account.emailVerified
        ? [accounts.change(account.id, seen, set), ...sessions.forget(Object.keys(account.sessions))]
        : await takeBack(deps, account, seen, set)),
    ])
  })
}
