import { type Account, emailKeyOf } from '#lib/accounts/account'
import type { AccountFinder } from '#lib/accounts/account-store'
import type { Throttle } from '#lib/accounts/throttle/throttle'
import type { Clock } from '#lib/kernel/clock'
import { type HmacKeys, newestKey } from '#lib/kernel/signed-token'
import { layOut } from '#lib/mail/layout'
import { addressMailContent, linkMailContent } from '#lib/mail/link-mail-content'
import type { LinkRequest } from '#lib/mail/mail-request'
import type { Mail } from '#lib/mail/mailer'
import { type LinkPages, linkTo } from './link-pages.ts'
import { countMail } from './mail-limits.ts'
import { isChangeRequested, LIFETIME_SECONDS, linkToken, type MailedLinks, newLink } from './mailed-link.ts'

/** The dependencies for answering a request for a link. */
export type LinkMailDeps = {
  accounts: AccountFinder
  mailedLinks: MailedLinks
  throttle: Throttle
  pages: LinkPages
  hmacKeys: HmacKeys
  now: Clock
}

/**
 * Makes the mail for a requested link. Returns null for an address without an account, for the verification of a verified
 * address, for a void change of address, and beyond the limits of `countMail`. A repeated request gives the same link. The
 * owner of an address that somebody else wants receives a notice instead of a link.
 */
export async function linkMail(
  deps: LinkMailDeps,
  request: LinkRequest,
  attempts: number,
): Promise<Mail | null> {
  const { accounts, mailedLinks, pages } = deps
  const { purpose, email } = request
  const account = await accountOf(deps, request)
  if (!account) return null
  const known = await mailedLinks.get(request.id)
  // A repeated attempt is not counted again. A stored link shows it or, for a notice, which stores none, `attempts`.
  const isToCount = known === undefined && attempts === 0 && !isCountedBefore(request)
  if (isToCount && !(await countMail(deps, purpose, email)).isAllowed) return null
  if (purpose === 'email-change-asked') {
    return { to: email, ...layOut(addressMailContent(account.locale, 'emailChangeAsked')) }
  }
  const owner = purpose === 'email-change' ? await accounts.byEmail(email) : undefined
  if (owner) return { to: owner.email, ...layOut(addressMailContent(owner.locale, 'emailTaken')) }
  // An administrator may have a mail sent long after its first attempt: the link's time then begins again.
  const live = known && known.expiresAtSeconds * 1000 > deps.now().getTime() ? known : undefined
  const link = live ?? newLink(request.id, purpose, account, deps.now(), changeFields(request))
  if (!live) await mailedLinks.commit([mailedLinks.insert(link)])
  const address = linkTo(pages[purpose], linkToken(await newestKey(deps.hmacKeys), link))
  const content = linkMailContent(account.locale, purpose, address, LIFETIME_SECONDS[purpose])
  // A mail that was asked for by a typed address goes to the account's own spelling of it.
  return { to: request.userId === null ? account.email : email, ...layOut(content) }
}

/**
 * Whether a request needs no count here: an undo and the reset that follows it are always mailed, and a signed-in caller's
 * verification was counted. The last two have a registration, unlike requests by a typed address.
 */
const isCountedBefore = ({ purpose, registration }: LinkRequest): boolean =>
  purpose === 'email-undo' ||
  (['password-reset', 'email-verification'].includes(purpose) && registration !== null)

/**
 * Returns the fields of a link that changes an address or undoes a change: its request has a `userId`. Other links use
 * the account's own address.
 */
const changeFields = ({ userId, email, sessionId }: LinkRequest) =>
  userId === null ? {} : { sentTo: email, sessionId }

/** Returns the account that a request is about; undefined if no mail is needed any more. */
async function accountOf(
  { accounts, now }: LinkMailDeps,
  request: LinkRequest,
): Promise<Account | undefined> {
  const { purpose, email, registration, userId } = request
  if (userId === null) {
    const account = await accounts.byEmail(email)
    // A request by a typed address has no `registration`. Any other has the account's of that time, and is void once the
    // account has another one, such as after a ban.
    const isOfRegistration = registration === null || registration === account?.registration
    const isWanted = purpose === 'password-reset' || account?.provenAt === null
    return isOfRegistration && isWanted ? account : undefined
  }
  const account = await accounts.get(userId)
  if (purpose === 'email-undo') return account
  if (account?.registration !== registration) return undefined
  if (purpose !== 'email-change') return account
  const isOwn = emailKeyOf(account.email) === emailKeyOf(email)
  return isOwn || !isChangeRequested(request, account, now()) ? undefined : account
}
