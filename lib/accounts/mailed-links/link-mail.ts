import { type Account, emailKeyOf } from '#lib/accounts/account'
import { type Counters, countedOf } from '#lib/accounts/throttle/counters'
import type { Clock } from '#lib/kernel/clock'
import { type HmacKeys, newestKey } from '#lib/kernel/signed-token'
import { layOut } from '#lib/mail/layout'
import { linkLetter } from '#lib/mail/link-letter'
import type { LinkRequest } from '#lib/mail/mail-request'
import type { Mail } from '#lib/mail/mailer'
import { type LinkPages, linkTo } from './link-pages.ts'
import { LIFETIME_SECONDS, linkToken, type MailedLinks, newLink } from './mailed-link.ts'

/** What answering such a request takes. */
export type LinkMailDeps = {
  accounts: { byEmail: (email: string) => Promise<Account | undefined> }
  links: MailedLinks
  counters: Counters
  pages: LinkPages
  hmacKeys: HmacKeys
  now: Clock
}

const MAILS_AN_HOUR = 5

/**
 * The mail that answers a request for a link, to the address as its account has it. Null for an address without an
 * account, one that is proven already, and one that has had five mails within the hour. Done again, a request comes to
 * the same link again.
 */
export async function linkMail(deps: LinkMailDeps, request: LinkRequest): Promise<Mail | null> {
  const { accounts, links, pages } = deps
  const now = deps.now()
  const account = await accounts.byEmail(request.email)
  if (!account || !isWanted(request, account)) return null
  let link = await links.get(request.id)
  if (!link) {
    if (await hasHadEnough(deps, account, now)) return null
    link = newLink(request.id, request.purpose, account, now)
    await links.commit([links.insert(link)])
  }
  const address = linkTo(pages[request.purpose], linkToken(await newestKey(deps.hmacKeys), link))
  const letter = linkLetter(account.locale, request.purpose, address, LIFETIME_SECONDS[request.purpose])
  return { to: account.email, ...layOut(letter) }
}

const isWanted = ({ purpose, registration }: LinkRequest, account: Account): boolean =>
  purpose === 'password-reset' || (!account.emailVerified && account.registration === registration)

async function hasHadEnough({ counters }: LinkMailDeps, { email }: Account, now: Date): Promise<boolean> {
  const mails = { subject: `mail\n${emailKeyOf(email)}`, windowSeconds: 60 * 60 }
  return countedOf(await counters.add(mails, now, { counted: 1 })) > MAILS_AN_HOUR
}
