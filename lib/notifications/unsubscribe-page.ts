import { directionOf, type Locale } from '#lib/kernel/locale'
import type { HmacKeys } from '#lib/kernel/signed-token'
import { escapeHtml } from '#lib/mail/html'
import { mailWordsIn } from '#lib/mail/words/words-in'
import type { Inbox } from './notice.ts'
import { readUnsubscribeToken, unsubscribe } from './unsubscribe.ts'

type Deps = { inbox: Inbox; hmacKeys: HmacKeys }

/** The page that asks whether mails of a topic are to be switched off. Opening it changes nothing; its button does. */
export async function unsubscribePage({ hmacKeys }: Deps, token: string, locale: Locale): Promise<string> {
  const { topic } = await readUnsubscribeToken(hmacKeys, token)
  const label = escapeHtml(mailWordsIn(locale).stop[topic])
  return page(locale, label, `<form method="post"><button>${label}</button></form>`)
}

/** Switches the mails off and says so. */
export async function unsubscribeByPage(deps: Deps, token: string, locale: Locale): Promise<string> {
  const { topic } = await readUnsubscribeToken(deps.hmacKeys, token)
  await unsubscribe(deps, { token })
  const { stop, stopped } = mailWordsIn(locale)
  return page(locale, escapeHtml(stop[topic]), `<p>${escapeHtml(stopped)}</p>`)
}

/** `title` and `content` are HTML. */
const page = (locale: Locale, title: string, content: string): string => `<!doctype html>
<html lang="${locale}" dir="${directionOf(locale)}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
body { max-width: 30rem; margin: 3rem auto; padding: 0 1rem }
h1 { font-size: 1.5rem; line-height: 1.3 }
button { font: inherit; padding: .6rem 1rem }
</style>
<h1>${title}</h1>
${content}
</html>
`
