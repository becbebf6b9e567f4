import * as z from 'zod'
import { Email } from '#lib/accounts/account'
import type { AccountStore } from '#lib/accounts/account-store'
import { linkRequest } from '#lib/accounts/mailed-links/request-mail'
import { Password } from '#lib/accounts/passwords/password'
import { proveOwnPassword, type SignedInCaller } from '#lib/accounts/passwords/prove-own-password'
import { networkMark } from '#lib/accounts/throttle/network-address'
import type { Throttle } from '#lib/accounts/throttle/throttle'
import type { Clock } from '#lib/kernel/clock'
import type { NewId } from '#lib/kernel/id'
import type { MailRequests } from '#lib/mail/mail-request'

export const EmailChange = z.object({ newEmail: Email, password: Password })

type Deps = {
  accounts: AccountStore
  mails: MailRequests
  throttle: Throttle
  now: Clock
  newId: NewId
}

/**
 * Asks for a change of the caller's address: a link to the new address, and word of it to the present one. Whether the
 * new one is taken is looked up by the sender, so that the answer does not tell. A wrong password is
 * `invalid_credentials`, see `proveOwnPassword`.
 */
export async function requestEmailChange(
  deps: Deps,
  caller: SignedInCaller,
  { newEmail, password }: z.infer<typeof EmailChange>,
  ipAddress: string,
): Promise<void> {
  await proveOwnPassword(deps, caller, password, ipAddress)
  const { id: userId, email, registration } = caller.account
  const about = { userId, registration }
  const link = { ...about, sessionId: caller.sessionId, network: networkMark(ipAddress) }
  await deps.mails.commit([
    deps.mails.request(linkRequest(deps, { ...link, purpose: 'email-change', email: newEmail })),
    deps.mails.request(linkRequest(deps, { ...about, purpose: 'email-change-asked', email })),
  ])
}
