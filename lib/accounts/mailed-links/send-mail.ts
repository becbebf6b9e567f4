import { type Account, emailKeyOf } from '#lib/accounts/account'
import { type Counters, countedOf } from '#lib/accounts/throttle/counters'
import type { Clock } from '#lib/kernel/clock'
import { type HmacKeys, newestKey } from '#lib/kernel/signed-token'
import { layOut } from '#lib/mail/layout'
import { linkLetter } from '#lib/mail/link-letter'
import { MAIL_REQUEST_SECONDS, MailRequest } from '#lib/mail/mail-request'
import type { Mailer } from '#lib/mail/mailer'
import { type LinkPages, linkTo } from './link-pages.ts'
import { LIFETIME_SECONDS, linkToken, type MailedLinks, newLink } from './mailed-link.ts'

type Deps = {
  accounts: { byEmail: (email: string) => Promise<Account | undefined> }
  links: MailedLinks
  counters: Counters
  mailer: Mailer
  pages: LinkPages
  hmacKeys: HmacKeys
  now: Clock
}

const MAILS_AN_HOUR = 5

/**
 * Answers requests for mailed links, each to the address as its account has it. An address without an account,
 * one that is proven already, one that has had five mails within the hour, and a request that comes too late
 * get nothing. Done again, a request sends the same link again.
 */
export async function sendRequestedMail(deps: Deps, items: readonly unknown[]): Promise<{ sent: number }> {
  let sent = 0
  for (const item of items) sent += await answer(deps, MailRequest.parse(item))
  return { sent }
}

async function answer(deps: Deps, request: MailRequest): Promise<0 | 1> {
  const { accounts, links, mailer, pages } = deps
  const now = deps.now()
  const account = await accounts.byEmail(request.email)
  const isLate = now.getTime() - Date.parse(request.at) > MAIL_REQUEST_SECONDS * 1000
  if (!account || isLate || !isWanted(request, account)) return 0
  let link = await links.get(request.id)
  if (!link) {
    if (await hasHadEnough(deps, account, now)) return 0
    link = newLink(request.id, request.purpose, account, now)
    await links.commit([links.insert(link)])
  }
  const address = linkTo(pages[request.purpose], linkToken(await newestKey(deps.hmacKeys), link))
  const letter = linkLetter('en', request.purpose, address, LIFETIME_SECONDS[request.purpose])
  await mailer.send({ to: account.email, ...layOut(letter) })
  return 1
}

const isWanted = ({ purpose, registration }: MailRequest, account: Account): boolean =>
  purpose === 'password-reset' || (!account.emailVerified && account.registration === registration)

async function hasHadEnough({ counters }: Deps, { email }: Account, now: Date): Promise<boolean> {
  const mails = { subject: `mail\n${emailKeyOf(email)}`, windowSeconds: 60 * 60 }
  return countedOf(await counters.add(mails, now, { counted: 1 })) > MAILS_AN_HOUR
}
