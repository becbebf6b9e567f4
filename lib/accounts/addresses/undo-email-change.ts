import type * as z from 'zod'
import type { Account, FormerAddress } from '#lib/accounts/account'
import type { AccountStore } from '#lib/accounts/account-store'
import type { LinkProof } from '#lib/accounts/mailed-links/mailed-link'
import { openLink } from '#lib/accounts/mailed-links/mailed-link'
import { linkRequest } from '#lib/accounts/mailed-links/request-mail'
import type { PasswordStore } from '#lib/accounts/passwords/password-store'
import { dropFactorsExcept, isEstablished } from '#lib/accounts/second-factor/change-factors'
import type { FactorStore } from '#lib/accounts/second-factor/factor-store'
import { countAttempt, LINK_TOKENS } from '#lib/accounts/throttle/count-attempt'
import { type Timestamp, timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import type { UserId } from '#lib/kernel/id'
import { retryConflicts } from '#lib/kernel/retry'
import type { Write } from '#lib/kernel/write'
import type { MailPreferences } from '#lib/mail/mail-preferences'
import { type AddressDeps, announceEmailChange, listLiveAddresses } from './confirm-email-change.ts'

/**
 * Restores a former address by the link mailed to it, with the name, telephone number, agent profile and mail preferences of
 * that time. Voids the password and every session, API key and mailed link. Keeps second factors that were 72 hours old at the
 * change, and has a reset link mailed to the address. Also undoes later changes of address and voids their links; links of
 * earlier changes still work. Throws `invalid_token`.
 */
export async function undoEmailChange(
  deps: AddressDeps & {
    accounts: AccountStore
    factors: FactorStore
    notifications: { setPreferences: (userId: UserId, mail: MailPreferences) => Write }
    passwords: PasswordStore
  },
  { token }: z.infer<typeof LinkProof>,
  ipAddress: string,
): Promise<void> {
  await countAttempt(deps, LINK_TOKENS, ipAddress)
  await retryConflicts(async () => {
    const { accounts, passwords, mailedLinks, mails, newId, now } = deps
    const { link, account } = await openLink(deps, 'email-undo', token)
    const live = listLiveAddresses(account, now())
    const place = live.findIndex(({ linkId }) => linkId === link.id)
    const former = live[place]
    if (!former) throw new DomainError('invalid_token')
    const at = timestamp(now())
    // The person who changed the address may have added a younger factor.
    const kept = await dropFactorsExcept(deps, account, (createdAt) =>
      isEstablished(createdAt, new Date(former.changedAt)),
    )
    const next: Account = {
      ...account,
      name: former.name,
      phone: former.phone,
      agent: former.agent,
      kyc: reviewAgain(account, former, at),
      email: former.email,
      provenAt: at,
      passwordRevision: account.passwordRevision + 1,
      // Voids mailed links, sessions, API keys and known devices.
      registration: newId('registration'),
      sessions: {},
      apiKeys: {},
      deviceRevision: account.deviceRevision + 1,
      factors: kept.summary,
      // Oldest first: this address is the account's own again, and later ones are dropped.
      formerAddresses: live.slice(0, place),
      updatedAt: at,
    }
    // With a registration the request is not limited: others may have used up the limit to leave the owner locked out.
    const { registration } = next
    const reset = linkRequest(deps, { purpose: 'password-reset', email: former.email, registration })
    const also = [
      mailedLinks.use(link),
      // The account has no password until the reset link is used.
      passwords.remove(account.id),
      deps.notifications.setPreferences(account.id, former.mailPreferences),
      mails.request(reset),
      announceEmailChange(deps, account.id, at, { isUndone: true }),
      ...kept.writes,
      // A function on the table's stream removes what was entered since the change.
      accounts.storeRestoration({ userId: account.id, since: former.changedAt, at }),
    ]
    await accounts.save(account, next, also)
  })
}

/**
 * Queues the person for a decision if an administrator decided since the change on another name or agent profile than the
 * restored one. Until that decision the person is not public.
 */
function reviewAgain({ name, agent, kyc }: Account, former: FormerAddress, at: Timestamp): Account['kyc'] {
  const isDecidedSince =
    kyc.decidedBy !== 'system' && kyc.decidedAt !== null && kyc.decidedAt > former.changedAt
  const isSameProfile = (['displayName', 'agency', 'licenseNumber'] as const).every(
    (field) => agent?.[field] === former.agent?.[field],
  )
  const isSame = name === former.name && (former.agent === null || isSameProfile)
  if (isSame || !isDecidedSince) return kyc
  return { ...kyc, agentWaits: true, waitingSince: kyc.waitingSince ?? at }
}
