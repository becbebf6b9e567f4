import type { Account } from '#lib/accounts/account'
import type { AccountReader } from '#lib/accounts/account-store'
import type { SessionReader } from '#lib/accounts/sessions/session-store'
import { PaymentRequestId } from '#lib/kernel/id'
import type { HmacKeys } from '#lib/kernel/signed-token'
import { layOut } from '#lib/mail/layout'
import type { MailContent } from '#lib/mail/mail-content'
import type { DigestRequest, NotificationRequest } from '#lib/mail/mail-request'
import type { Mail } from '#lib/mail/mailer'
import type { RequestReader } from '#lib/payment-requests/request-store'
import { composeDigest, composeMail } from './compose.ts'
import { eventData, type LookUpFactsDeps, lookUpFacts } from './look-up-facts.ts'
import type { MailPages } from './mail-pages.ts'
import { type Notification, type NotificationReader, preferencesOf } from './notification.ts'
import type { NotificationFacts } from './notification-facts.ts'
import { isNotificationName, type Mailed, notificationKind } from './recipients.ts'
import { unsubscribeToken } from './unsubscribe.ts'

export type NotificationMailDeps = LookUpFactsDeps & {
  notifications: NotificationReader
  accounts: AccountReader
  sessions: SessionReader
  requests: RequestReader
  notificationPages: MailPages
  hmacKeys: HmacKeys
}

/**
 * Writes the mail of a notification in its reader's language. Returns null where no mail is due: the account is deleted,
 * the address is not verified, the preference is off, or this version does not know the notification.
 */
export async function notificationMail(
  deps: NotificationMailDeps,
  { userId, notificationId }: NotificationRequest,
): Promise<Mail | null> {
  const [account, notification, state] = await Promise.all([
    deps.accounts.get(userId),
    deps.notifications.get(userId, notificationId),
    deps.notifications.state(userId),
  ])
  if (!account?.provenAt || !notification || !isNotificationName(notification.name)) return null
  // `always`, `never`, or the topic whose preference decides.
  const { mailed } = notificationKind(notification.name)
  if (mailed === 'never' || (mailed !== 'always' && !preferencesOf(state)[mailed])) return null
  const [readable] = await lookUpFacts(deps, [notification])
  if (!readable) return null
  // Facts that a mail shows and the app does not.
  const [device, dueDate] = await Promise.all([
    deviceFactsOf(deps, notification),
    dueDateFactOf(deps, notification),
  ])
  const facts = { ...readable.facts, ...device, ...dueDate }
  const { subject } = notification.event
  const { pages } = deps.notificationPages
  return mailTo(deps, account, mailed, (optOut) =>
    composeMail(account.locale, facts, { subject, pages, optOut }),
  )
}

/** The topic of every notification that is mailed with the others of its day. */
const DIGEST_TOPIC = 'favourites'

/** Writes the one mail of a day's notifications in their reader's language. Returns null as `notificationMail` does. */
export async function digestMail(
  deps: NotificationMailDeps,
  { userId, notificationIds }: DigestRequest,
): Promise<Mail | null> {
  const [account, state, ...stored] = await Promise.all([
    deps.accounts.get(userId),
    deps.notifications.state(userId),
    ...notificationIds.map((id) => deps.notifications.get(userId, id)),
  ])
  if (!account?.provenAt || !preferencesOf(state)[DIGEST_TOPIC]) return null
  const readable = await lookUpFacts(
    deps,
    stored.filter((notification) => notification !== undefined),
  )
  if (readable.length === 0) return null
  const lines = readable.map(({ notification, facts }) => ({ subject: notification.event.subject, facts }))
  const { pages } = deps.notificationPages
  return mailTo(deps, account, DIGEST_TOPIC, (optOut) =>
    composeDigest(account.locale, lines, { pages, optOut }),
  )
}

async function mailTo(
  { notificationPages, hmacKeys }: NotificationMailDeps,
  { id, email }: Account,
  mailed: Exclude<Mailed, 'never'>,
  compose: (optOut: MailContent['optOut']) => MailContent,
): Promise<Mail> {
  const { unsubscribePage, unsubscribeAddress } = notificationPages
  if (mailed === 'always') return { to: email, ...layOut(compose('none')) }
  const token = await unsubscribeToken(hmacKeys, id, mailed)
  return {
    to: email,
    ...layOut(compose({ topic: mailed, address: withToken(unsubscribePage, token) })),
    headers: {
      'List-Unsubscribe': `<${withToken(unsubscribeAddress, token)}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  }
}

async function deviceFactsOf(
  { sessions }: NotificationMailDeps,
  notification: Notification,
): Promise<Partial<NotificationFacts>> {
  const { sessionId } = eventData(notification)
  const session = sessionId && (await sessions.get(sessionId))
  return session ? { browser: session.userAgent, network: session.ipAddress } : {}
}

async function dueDateFactOf(
  { requests }: NotificationMailDeps,
  { event }: Notification,
): Promise<Partial<NotificationFacts>> {
  const id = PaymentRequestId.safeParse(event.subject).data
  const request = id && (await requests.get(id))
  return request ? { dueAt: request.dueAt } : {}
}

function withToken(page: string, token: string): string {
  const address = new URL(page)
  address.searchParams.set('token', token)
  return address.href
}
