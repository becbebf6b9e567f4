import type * as z from 'zod'
import type { Account } from '#lib/accounts/account'
import type { AccountReader, AccountStore } from '#lib/accounts/account-store'
import type { LinkProof } from '#lib/accounts/mailed-links/mailed-link'
import {
  isChangeRequested,
  isPasswordUnchanged,
  linkedAccount,
  type MailedLinks,
  newLink,
  readLink,
} from '#lib/accounts/mailed-links/mailed-link'
import { linkRequest } from '#lib/accounts/mailed-links/request-mail'
import { countAttempt, LINK_TOKENS } from '#lib/accounts/throttle/count-attempt'
import type { Throttle } from '#lib/accounts/throttle/throttle'
import { announce } from '#lib/events/event'
import { beginAhead } from '#lib/kernel/begin-ahead'
import { type Clock, HOUR_SECONDS, type Timestamp, timestamp, unixSeconds } from '#lib/kernel/clock'
import { DomainError, tooManyRequests } from '#lib/kernel/domain-error'
import type { NewId, UserId } from '#lib/kernel/id'
import { retryConflicts } from '#lib/kernel/retry'
import type { HmacKeys } from '#lib/kernel/signed-token'
import type { Write } from '#lib/kernel/write'
import { MailPreferences } from '#lib/mail/mail-preferences'
import type { MailRequests } from '#lib/mail/mail-request'

/** The dependencies of a link that changes an address. */
export type AddressDeps = {
  accounts: AccountStore
  mailedLinks: MailedLinks
  mails: MailRequests
  throttle: Throttle
  hmacKeys: HmacKeys
  now: Clock
  newId: NewId
}

type ConfirmDeps = AddressDeps & {
  accounts: AccountReader
  mailedLinks: MailedLinks
  notifications: { state: (userId: UserId) => Promise<MailPreferences> }
}

/**
 * Gives an account the address that a link was mailed to, verified. Ends every session but the one that asked. A verified
 * former address receives a link that brings it back, and stays taken while the link works. An unverified one is free at
 * once. Throws `invalid_token` unless the link is that of the newest request, the session that made it is live and the
 * password has not changed since. Throws `email_taken`.
 */
export async function confirmEmailChange(
  deps: ConfirmDeps,
  { token }: z.infer<typeof LinkProof>,
  ipAddress: string,
): Promise<void> {
  await countAttempt(deps, LINK_TOKENS, ipAddress)
  await retryConflicts(async () => {
    const { accounts, mailedLinks, now } = deps
    const link = await readLink(deps, 'email-change', token)
    const preferences = beginAhead(deps.notifications.state(link.userId))
    const account = await linkedAccount(deps, link)
    if (!isChangeRequested(link, account, now()) || !isPasswordUnchanged(link, account)) {
      throw new DomainError('invalid_token')
    }
    const at = timestamp(now())
    const kept =
      account.provenAt !== null
        ? keepAddress(deps, account, MailPreferences.parse(await preferences), at)
        : { former: [], writes: [] }
    const next: Account = {
      ...account,
      email: link.sentTo,
      provenAt: at,
      sessions: onlySession(account, link.sessionId),
      formerAddresses: [...listLiveAddresses(account, now()), ...kept.former],
      emailChangeId: null,
      emailChangesAt: [...listRecentChanges(account, now()), unixSeconds(now())],
      updatedAt: at,
    }
    const also = [
      mailedLinks.use(link),
      ...kept.writes,
      announceEmailChange(deps, account.id, at, { isUndone: false }),
      ...(link.sessionId ? [accounts.requireSession(link.sessionId)] : []),
    ]
    // Claims the new address, or throws `email_taken`. Frees old addresses that `formerAddresses` no longer lists.
    await accounts.save(account, next, also)
  })
}

/**
 * Keeps the present address, profile and mail preferences for an undo, and has the link that undoes the change mailed to
 * the address.
 */
function keepAddress(
  deps: ConfirmDeps,
  account: Account,
  mailPreferences: MailPreferences,
  changedAt: Timestamp,
) {
  const { id: userId, email, registration, name, phone, agent } = account
  const request = linkRequest(deps, { purpose: 'email-undo', email, userId, registration })
  const undo = newLink(request.id, 'email-undo', account, deps.now())
  const former = {
    linkId: undo.id,
    email,
    untilSeconds: undo.expiresAtSeconds,
    changedAt,
    name,
    phone,
    agent,
    mailPreferences,
  }
  return { former: [former], writes: [deps.mailedLinks.insert(undo), deps.mails.request(request)] }
}

/** The time for which a change counts against the limit. */
const CHANGES_SECONDS = 72 * HOUR_SECONDS

/** Returns when the address was changed, in Unix seconds, within the time for which a change counts. */
const listRecentChanges = ({ emailChangesAt }: Account, now: Date): number[] =>
  emailChangesAt.filter((at) => (at + CHANGES_SECONDS) * 1000 > now.getTime())

/** Throws `too_many_requests` for an account whose address was changed ten times in 72 hours. */
export function refuseManyChanges(account: Account, now: Date): void {
  const changes = listRecentChanges(account, now)
  // Once the oldest of the last ten no longer counts, another change is allowed.
  const [oldest] = changes.slice(-CHANGES_MAX)
  if (oldest === undefined || changes.length < CHANGES_MAX) return
  const seconds = Math.max(1, oldest + CHANGES_SECONDS - unixSeconds(now))
  const policy = { policy: 'email-changes', limit: CHANGES_MAX, windowSeconds: CHANGES_SECONDS }
  throw tooManyRequests(policy, seconds, `An address can be changed ${CHANGES_MAX} times in 72 hours`)
}

const CHANGES_MAX = 10

/** Lists the former addresses that can still be brought back. */
export const listLiveAddresses = ({ formerAddresses }: Account, now: Date): Account['formerAddresses'] =>
  formerAddresses.filter(({ untilSeconds }) => untilSeconds * 1000 > now.getTime())

/** Announces that an account has another address. */
export const announceEmailChange = (
  { newId }: Pick<AddressDeps, 'newId'>,
  subject: UserId,
  at: Timestamp,
  { isUndone }: { isUndone: boolean },
): Write =>
  announce({ id: newId('event'), type: 'user.email_changed', subject, at, data: { undone: isUndone } })

const onlySession = ({ sessions }: Account, kept: string | null): Record<string, number> =>
  Object.fromEntries(Object.entries(sessions).filter(([id]) => id === kept))
