import type { ProblemCode } from '#lib/kernel/domain-error'
import { escapeHtml, type HtmlPage } from '#lib/kernel/html'
import { localeFor } from '#lib/kernel/locale'
import type { HmacKeys } from '#lib/kernel/signed-token'
import { mailWordsIn } from '#lib/mail/words/words-in'
import type { Brand } from '#lib/pages/brand'
import { page } from '#lib/pages/page'
import { refusedPage } from '#lib/pages/refused-page'
import { pageWordsIn } from '#lib/pages/words/words-in'
import type { NotificationStore } from './notification.ts'
import { readUnsubscribeToken, unsubscribe } from './unsubscribe.ts'

type Deps = {
  notifications: NotificationStore
  hmacKeys: HmacKeys
  brand: Brand
}
type Reader = { acceptLanguage: string | null }

/** Returns the page whose button switches the mails of a topic off. Opening it changes nothing. */
export async function unsubscribePage(
  { hmacKeys, brand }: Pick<Deps, 'hmacKeys' | 'brand'>,
  token: string,
  { acceptLanguage }: Reader,
): Promise<HtmlPage> {
  const { topic } = await readUnsubscribeToken(hmacKeys, token)
  const locale = localeFor(acceptLanguage)
  const title = mailWordsIn(locale).stop[topic]
  const content = `<form method="post"><button>${escapeHtml(title)}</button></form>`
  return page({ locale, brand }, { title, content })
}

/** Switches the mails off and returns a page that says so. */
export async function unsubscribeByPage(
  deps: Deps,
  token: string,
  { acceptLanguage }: Reader,
): Promise<HtmlPage> {
  const { topic } = await readUnsubscribeToken(deps.hmacKeys, token)
  await unsubscribe(deps, { token })
  const locale = localeFor(acceptLanguage)
  const content = `<p>${escapeHtml(pageWordsIn(locale).stopped)}</p>`
  return page({ locale, brand: deps.brand }, { title: mailWordsIn(locale).stop[topic], content })
}

/** Returns the page of an invalid link: it says where to find a valid one. */
export function unsubscribeRefused(
  { code, acceptLanguage }: Reader & { code: ProblemCode },
  { brand }: Pick<Deps, 'brand'>,
): HtmlPage {
  const locale = localeFor(acceptLanguage)
  const { stopAgain } = pageWordsIn(locale)
  return refusedPage({ locale, brand }, code, { invalid_token: stopAgain, validation_failed: stopAgain })
}
