import { escapeHtml } from '#lib/kernel/html'
import { directionOf, Locale } from '#lib/kernel/locale'
import type { LocalRoute } from '../gateway/gateway.ts'
import { type Sample, samplesIn } from './samples.ts'

const PATH = '/local/mails'

/**
 * `GET /local/mails`: every notification and every mail, in every language, with sample data. `?locale=` shows one
 * language. `GET /local/mails/<locale>/<name>` is one mail's HTML as a mail client would show it.
 */
export const mailPreviewRoute: LocalRoute = {
  method: 'GET',
  path: PATH,
  handle: (_, response, url) => {
    const page = pageAt(url)
    response.writeHead(page === undefined ? 404 : 200, {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      // A mail runs no script and loads nothing; nor does the preview.
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'",
    })
    response.end(page ?? 'Not Found')
  },
}

function pageAt(url: URL): string | undefined {
  if (url.pathname === PATH) return overview(localesOf(url))
  const [, wanted, name] = /^\/local\/mails\/([^/]+)\/([^/]+)$/.exec(url.pathname) ?? []
  const locale = Locale.safeParse(wanted).data
  return locale && samplesIn(locale).find((sample) => sample.name === name)?.mail?.html
}

function localesOf(url: URL): readonly Locale[] {
  const { data } = Locale.safeParse(url.searchParams.get('locale'))
  return data ? [data] : Locale.options
}

const overview = (locales: readonly Locale[]): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Mails and notifications</title>
<style>
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
body { margin: 0 auto; max-width: 80rem; padding: 1rem }
article { border: 1px solid #8886; border-radius: .5rem; margin: 1rem 0; padding: 1rem; overflow: hidden }
article > * { margin: 0 0 .5rem }
iframe { border: 0; width: 100%; height: 32rem }
pre { white-space: pre-wrap; overflow-wrap: anywhere }
summary { cursor: pointer }
</style>
<h1>Mails and notifications</h1>
<nav>${Locale.options.map((locale) => `<a href="${PATH}?locale=${locale}">${locale}</a>`).join(' ')}</nav>
${locales.map(section).join('\n')}
</html>
`

const section = (locale: Locale): string =>
  `<section><h2 id="${locale}">${locale}</h2>${samplesIn(locale)
    .map((sample) => article(locale, sample))
    .join('\n')}</section>`

const article = (locale: Locale, { name, notification, mail }: Sample): string => {
  const language = `lang="${locale}" dir="${directionOf(locale)}"`
  return `<article>
<h3>${name}</h3>
${notification ? `<p ${language}><strong>${escapeHtml(notification.title)}</strong></p><pre ${language}>${escapeHtml(notification.text)}</pre>` : ''}
${
  mail
    ? `<p ${language}>✉ ${escapeHtml(mail.subject)}</p>
<iframe loading="lazy" title="${name} ${locale}" src="${PATH}/${locale}/${name}"></iframe>
<details><summary>Text</summary><pre ${language}>${escapeHtml(mail.text)}</pre></details>`
    : '<p>Not mailed.</p>'
}
</article>`
}
