import type { Locale } from '#lib/kernel/locale'
import type { HmacKeys } from '#lib/kernel/signed-token'
import { escapeHtml } from '#lib/mail/html'
import { page } from '#lib/mail/page'
import { mailWordsIn } from '#lib/mail/words/words-in'
import type { NotificationStore } from './notification.ts'
import { readUnsubscribeToken, unsubscribe } from './unsubscribe.ts'

type Deps = { notifications: NotificationStore; hmacKeys: HmacKeys }

/** Returns the page whose button switches the mails of a topic off. Opening it changes nothing. */
export async function unsubscribePage({ hmacKeys }: Deps, token: string, locale: Locale): Promise<string> {
  const { topic } = await readUnsubscribeToken(hmacKeys, token)
  const label = escapeHtml(mailWordsIn(locale).stop[topic])
  return page(locale, label, `<form method="post"><button>${label}</button></form>`)
}

/** Switches the mails off and returns a page that says so. */
export async function unsubscribeByPage(deps: Deps, token: string, locale: Locale): Promise<string> {
  const { topic } = await readUnsubscribeToken(deps.hmacKeys, token)
  await unsubscribe(deps, { token })
  const { stop, stopped } = mailWordsIn(locale)
  return page(locale, escapeHtml(stop[topic]), `<p>${escapeHtml(stopped)}</p>`)
}
