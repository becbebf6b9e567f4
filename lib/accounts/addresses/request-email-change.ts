import * as z from 'zod'
import { Email } from '#lib/accounts/account'
import type { AccountStore } from '#lib/accounts/account-store'
import { linkRequest } from '#lib/accounts/mailed-links/request-mail'
import { Password } from '#lib/accounts/passwords/password'
import type { PasswordReader } from '#lib/accounts/passwords/password-store'
import { proveOwnPassword } from '#lib/accounts/passwords/prove-own-password'
import { rereadBySession, type SignedInCaller } from '#lib/accounts/reread-caller'
import { countRequest, MAIL_REQUESTS } from '#lib/accounts/throttle/count-attempt'
import type { Throttle } from '#lib/accounts/throttle/throttle'
import type { Clock } from '#lib/kernel/clock'
import type { NewId } from '#lib/kernel/id'
import { retryConflicts } from '#lib/kernel/retry'
import type { MailRequests } from '#lib/mail/mail-request'
import { refuseManyChanges } from './confirm-email-change.ts'

export const EmailChange = z.object({ newEmail: Email, password: Password })

type Deps = {
  accounts: AccountStore
  passwords: PasswordReader
  mails: MailRequests
  throttle: Throttle
  now: Clock
  newId: NewId
}

/**
 * Requests a change of the caller's address: a link to the new address, which voids earlier ones, and a mail to the
 * present one. The job that sends the mail looks up whether the new address is taken: the answer must not depend on it. A
 * network that asks for too many mails gets none. Throws `invalid_credentials`, see `proveOwnPassword`, and
 * `too_many_requests` after ten changes in 72 hours.
 */
export async function requestEmailChange(
  deps: Deps,
  caller: SignedInCaller,
  { newEmail, password }: z.infer<typeof EmailChange>,
  ipAddress: string,
): Promise<void> {
  const { accounts, mails, now } = deps
  const { account: proven, sessionId } = caller
  await proveOwnPassword(deps, caller, password, ipAddress)
  // A change that is refused counts no mail for the network.
  refuseManyChanges(proven, now())
  if (await countRequest(deps, MAIL_REQUESTS, ipAddress)) return
  await retryConflicts(async (isRetry) => {
    const account = isRetry ? await rereadBySession(deps, caller) : proven
    refuseManyChanges(account, now())
    const { id: userId, email, registration } = account
    const link = linkRequest(deps, {
      purpose: 'email-change',
      email: newEmail,
      userId,
      registration,
      sessionId,
    })
    const notice = linkRequest(deps, { purpose: 'email-change-asked', email, userId, registration })
    const next = { ...account, emailChangeId: link.id }
    await accounts.save(account, next, [
      mails.request(link),
      mails.request(notice),
      accounts.requireSession(sessionId),
    ])
  })
}
