import * as z from 'zod'
import type { AccountStore } from '#lib/accounts/account-store'
import { countAttempt, LINK_TOKENS } from '#lib/accounts/throttle/count-attempt'
import type { Throttle } from '#lib/accounts/throttle/throttle'
import { type Clock, timestamp } from '#lib/kernel/clock'
import { retryConflicts } from '#lib/kernel/retry'
import type { HmacKeys } from '#lib/kernel/signed-token'
import { LinkToken, type MailedLinks, openLink } from './mailed-link.ts'

export const EmailProof = z.object({ token: LinkToken })

type Deps = {
  accounts: AccountStore
  links: MailedLinks
  throttle: Throttle
  hmacKeys: HmacKeys
  now: Clock
}

/** Proves an address by the link mailed to it, for the registration it was mailed about. Throws `invalid_token`. */
export async function verifyEmail(
  deps: Deps,
  { token }: z.infer<typeof EmailProof>,
  ipAddress: string,
): Promise<void> {
  await countAttempt(deps, LINK_TOKENS, ipAddress)
  await retryConflicts(async () => {
    const { accounts, links, now } = deps
    const { link, account } = await openLink(deps, 'email-verification', token)
    const verified = { ...account, emailVerified: true, updatedAt: timestamp(now()) }
    await accounts.save(account, verified, ['registration'], [links.use(link)])
  })
}
