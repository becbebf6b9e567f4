import { directionOf, type Locale } from '#lib/kernel/locale'

/** A plain page that a mail links to, which works without script. `title` and `content` are HTML. */
export const page = (locale: Locale, title: string, content: string): string => `<!doctype html>
<html lang="${locale}" dir="${directionOf(locale)}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
body { max-width: 30rem; margin: 3rem auto; padding: 0 1rem }
h1 { font-size: 1.5rem; line-height: 1.3 }
button, input { font: inherit; padding: .6rem 1rem }
</style>
<h1>${title}</h1>
${content}
</html>
`
