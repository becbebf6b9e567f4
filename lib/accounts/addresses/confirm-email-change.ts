import type * as z from 'zod'
import type { Account } from '#lib/accounts/account'
import type { AccountStore } from '#lib/accounts/account-store'
import { isOfPassword, type MailedLinks, newLink, openLink } from '#lib/accounts/mailed-links/mailed-link'
import { linkRequest } from '#lib/accounts/mailed-links/request-mail'
import type { EmailProof } from '#lib/accounts/mailed-links/verify-email'
import { countAttempt, LINK_TOKENS } from '#lib/accounts/throttle/count-attempt'
import type { Throttle } from '#lib/accounts/throttle/throttle'
import { announce } from '#lib/events/event'
import { type Clock, type Timestamp, timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import type { NewId, UserId } from '#lib/kernel/id'
import { retryConflicts } from '#lib/kernel/retry'
import type { HmacKeys } from '#lib/kernel/signed-token'
import type { Write } from '#lib/kernel/write'
import type { MailRequests } from '#lib/mail/mail-request'

/** The dependencies of a link that changes an address. */
export type AddressDeps = {
  accounts: AccountStore
  links: MailedLinks
  mails: Pick<MailRequests, 'request'>
  throttle: Throttle
  hmacKeys: HmacKeys
  now: Clock
  newId: NewId
}

/**
 * Gives an account the address that a link was mailed to, verified. Every session but the one that asked ends. The former
 * address is mailed a link that brings it back, and stays taken as long as that works. Throws `invalid_token`, also once
 * the password is another, and `email_taken`.
 */
export async function confirmEmailChange(
  deps: AddressDeps,
  { token }: z.infer<typeof EmailProof>,
  ipAddress: string,
): Promise<void> {
  await countAttempt(deps, LINK_TOKENS, ipAddress)
  await retryConflicts(async () => {
    const { accounts, links, mails, now } = deps
    const { link, account } = await openLink(deps, 'email-change', token)
    if (link.email === null || !isOfPassword(link, account)) throw new DomainError('invalid_token')
    const at = timestamp(now())
    const { id: userId, email: former, registration } = account
    const request = linkRequest(deps, { purpose: 'email-undo', email: former, userId, registration })
    const undo = newLink(request.id, 'email-undo', account, now())
    const kept = { linkId: undo.id, email: former, untilSeconds: undo.expiresAtSeconds }
    const next: Account = {
      ...account,
      email: link.email,
      emailVerified: true,
      sessions: onlySession(account, link.sessionId),
      formerAddresses: [...liveAddresses(account, now()), kept],
      updatedAt: at,
    }
    const also = [
      links.use(link),
      links.insert(undo),
      mails.request(request),
      emailChanged(deps, userId, at, false),
    ]
    await accounts.save(account, next, ['email', 'registration', 'passwordHash', 'sessions'], also)
  })
}

/** The former addresses that can still be brought back. */
export const liveAddresses = ({ formerAddresses }: Account, now: Date): Account['formerAddresses'] =>
  formerAddresses.filter(({ untilSeconds }) => untilSeconds * 1000 > now.getTime())

/** The event that an account has another address. */
export const emailChanged = (
  { newId }: Pick<AddressDeps, 'newId'>,
  subject: UserId,
  at: Timestamp,
  undone: boolean,
): Write => announce({ id: newId('event'), type: 'user.email_changed', subject, at, data: { undone } })

function onlySession({ sessions }: Account, kept: string | null): Record<string, number> {
  const end = kept === null ? undefined : sessions[kept]
  return kept === null || end === undefined ? {} : { [kept]: end }
}
