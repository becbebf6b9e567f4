import type { Account } from '#lib/accounts/account'
import type { AccountStore } from '#lib/accounts/account-store'
import type { SessionStore } from '#lib/accounts/sessions/session-store'
import { PaymentRequestId } from '#lib/kernel/id'
import type { HmacKeys } from '#lib/kernel/signed-token'
import { layOut } from '#lib/mail/layout'
import type { Letter } from '#lib/mail/letter'
import type { NoticeRequest } from '#lib/mail/mail-request'
import type { Mail } from '#lib/mail/mailer'
import type { RequestStore } from '#lib/payments/requests/request-store'
import { letterOf } from './compose.ts'
import { factsOf, type LookUpDeps, lookUp } from './look-up.ts'
import type { MailPages } from './mail-pages.ts'
import type { Matter } from './matter.ts'
import { type Inbox, type Notice, preferencesOf } from './notice.ts'
import { type Mailed, mailedAs } from './told.ts'
import { unsubscribeToken } from './unsubscribe.ts'

/** What writing the mail of a notice takes. */
export type NoticeMailDeps = LookUpDeps & {
  inbox: Inbox
  accounts: Pick<AccountStore, 'get'>
  sessions: Pick<SessionStore, 'get'>
  requests: Pick<RequestStore, 'get'>
  noticePages: MailPages
  hmacKeys: HmacKeys
}

/**
 * The mail of a notice in its reader's language. Null where no mail is to be sent: the account has ended, the address
 * is not verified, or the person has switched such mail off. Null, too, for a type of notice that this version does
 * not know.
 */
export async function noticeMail(
  deps: NoticeMailDeps,
  { userId, noticeId }: NoticeRequest,
): Promise<Mail | null> {
  const [account, notice, state] = await Promise.all([
    deps.accounts.get(userId),
    deps.inbox.notice(userId, noticeId),
    deps.inbox.state(userId),
  ])
  if (!account?.emailVerified || !notice) return null
  const mailed = mailedAs(notice.name)
  if (mailed === 'never' || (mailed !== 'always' && !preferencesOf(state)[mailed])) return null
  const [readable] = await lookUp(deps, [notice])
  if (!readable) return null
  const [device, due] = await Promise.all([deviceOf(deps, notice), dueOf(deps, notice)])
  const matter = { ...readable.matter, ...device, ...due }
  return mailOf(deps, account, notice, matter, mailed)
}

async function mailOf(
  { noticePages, hmacKeys }: NoticeMailDeps,
  { id, email, locale }: Account,
  { event }: Notice,
  matter: Matter,
  mailed: Exclude<Mailed, 'never'>,
): Promise<Mail> {
  const { pages, unsubscribePage, unsubscribeAddress } = noticePages
  const compose = (optOut: Letter['optOut']) =>
    layOut(letterOf(locale, matter, { subject: event.subject, pages, optOut }))
  if (mailed === 'always') return { to: email, ...compose('none') }
  const token = await unsubscribeToken(hmacKeys, id, mailed)
  return {
    to: email,
    ...compose({ topic: mailed, address: withToken(unsubscribePage, token) }),
    headers: {
      'List-Unsubscribe': `<${withToken(unsubscribeAddress, token)}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  }
}

/** What a session was opened with, where a notice is about one that is still there. */
async function deviceOf({ sessions }: NoticeMailDeps, notice: Notice): Promise<Partial<Matter>> {
  const { sessionId } = factsOf(notice)
  const session = sessionId && (await sessions.get(sessionId))
  return session ? { browser: session.userAgent, network: session.ipAddress } : {}
}

/** When a payment that is asked for is due. */
async function dueOf({ requests }: NoticeMailDeps, { event }: Notice): Promise<Partial<Matter>> {
  const id = PaymentRequestId.safeParse(event.subject).data
  const request = id && (await requests.get(id))
  return request ? { dueAt: request.dueAt } : {}
}

function withToken(page: string, token: string): string {
  const address = new URL(page)
  address.searchParams.set('token', token)
  return address.href
}
