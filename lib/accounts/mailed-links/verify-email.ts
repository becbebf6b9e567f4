import type * as z from 'zod'
import type { AccountStore } from '#lib/accounts/account-store'
import { countAttempt, LINK_TOKENS } from '#lib/accounts/throttle/count-attempt'
import type { Throttle } from '#lib/accounts/throttle/throttle'
import { type Clock, timestamp } from '#lib/kernel/clock'
import { retryConflicts } from '#lib/kernel/retry'
import type { HmacKeys } from '#lib/kernel/signed-token'
import { type LinkProof, type MailedLinkReader, openLink } from './mailed-link.ts'

type Deps = {
  accounts: AccountStore
  mailedLinks: MailedLinkReader
  throttle: Throttle
  hmacKeys: HmacKeys
  now: Clock
}

/**
 * Verifies an address by the link mailed to it, for the registration it was mailed about. The same link again changes
 * nothing. Throws `invalid_token`.
 */
export async function verifyEmail(
  deps: Deps,
  { token }: z.infer<typeof LinkProof>,
  ipAddress: string,
): Promise<void> {
  await countAttempt(deps, LINK_TOKENS, ipAddress)
  await retryConflicts(async () => {
    const { accounts, now } = deps
    const { account } = await openLink(deps, 'email-verification', token)
    if (account.provenAt !== null) return
    const at = timestamp(now())
    await accounts.save(account, { ...account, provenAt: at, updatedAt: at })
  })
}
