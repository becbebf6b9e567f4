import type * as z from 'zod'
import type { Account } from '#lib/accounts/account'
import { openLink } from '#lib/accounts/mailed-links/mailed-link'
import { linkRequest } from '#lib/accounts/mailed-links/request-mail'
import type { EmailProof } from '#lib/accounts/mailed-links/verify-email'
import { hashPassword } from '#lib/accounts/passwords/password'
import { countAttempt, LINK_TOKENS } from '#lib/accounts/throttle/count-attempt'
import { timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import { retryConflicts } from '#lib/kernel/retry'
import { type AddressDeps, emailChanged, liveAddresses } from './confirm-email-change.ts'

/**
 * Brings a former address back, by the link mailed to it: every session, every mailed link and the password are void, and
 * a reset link is mailed to the address. Later changes are undone with it, and their links void; earlier ones stay good.
 * Throws `invalid_token`.
 */
export async function undoEmailChange(
  deps: AddressDeps,
  { token }: z.infer<typeof EmailProof>,
  ipAddress: string,
): Promise<void> {
  await countAttempt(deps, LINK_TOKENS, ipAddress)
  // Nobody knows this password: the next one comes by the reset link.
  const passwordHash = await hashPassword(deps.newId('registration'))
  await retryConflicts(async () => {
    const { accounts, links, mails, newId, now } = deps
    const { link, account } = await openLink(deps, 'email-undo', token)
    const live = liveAddresses(account, now())
    const place = live.findIndex(({ linkId }) => linkId === link.id)
    const former = live[place]
    if (!former) throw new DomainError('invalid_token')
    const at = timestamp(now())
    const next: Account = {
      ...account,
      email: former.email,
      emailVerified: true,
      passwordHash,
      registration: newId('registration'),
      sessions: {},
      formerAddresses: live.slice(0, place),
      updatedAt: at,
    }
    const reset = linkRequest(deps, { purpose: 'password-reset', email: former.email })
    const also = [links.use(link), mails.request(reset), emailChanged(deps, account.id, at, true)]
    await accounts.save(account, next, ['email', 'registration', 'passwordHash', 'sessions'], also)
  })
}
