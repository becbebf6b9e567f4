import { escapeHtml, type HtmlPage } from '#lib/kernel/html'
import { directionOf, type Locale } from '#lib/kernel/locale'
import { type Brand, coloursOf, imageSourceOf } from './brand.ts'

/** The language of a page's reader, and the brand of its operator. */
export type PageSetting = { locale: Locale; brand: Brand }

/** The content of a page. `title` and `heading` are text, `content` is HTML. */
type PageContent = { title: string; heading?: string; content: string }

/**
 * Returns a page for customers: the operator's name, logo and colour above one card. It works without script, on a
 * telephone and on paper.
 */
export function page(
  { locale, brand }: PageSetting,
  { title, heading = title, content }: PageContent,
): HtmlPage {
  const { colour, ink } = coloursOf(brand)
  const html = `<!doctype html>
<html lang="${locale}" dir="${directionOf(locale)}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}${brand.name === undefined ? '' : ` · ${escapeHtml(brand.name)}`}</title>
<style>:root { --brand: ${colour}; --on-brand: ${ink} }${STYLE}</style>
${mastheadOf(brand)}<main>
<h1>${escapeHtml(heading)}</h1>
${content}
</main>
</html>
`
  return { html, imageSource: imageSourceOf(brand) }
}

function mastheadOf({ name, logo }: Brand): string {
  const parts = [
    logo !== undefined && `<img src="${escapeHtml(logo)}" alt="">`,
    name !== undefined && `<bdi>${escapeHtml(name)}</bdi>`,
  ].filter((part) => part !== false)
  return parts.length === 0 ? '' : `<header>${parts.join('')}</header>\n`
}

const LIGHT = `--ink: #1f2937; --quiet: #4b5563; --paper: #fff; --ground: #f3f4f6; --line: #d1d5db; --field: #6b7280;
  --wrong: #b42318`

const STYLE = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; ${LIGHT} }
@media (prefers-color-scheme: dark) {
  :root { --ink: #f3f4f6; --quiet: #b6bdc9; --paper: #1f2937; --ground: #111827; --line: #4b5563; --field: #9ca3af;
    --wrong: #fda29b }
}
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 36rem; min-height: 100vh; padding: 1.5rem 1rem; background: var(--ground);
  color: var(--ink); overflow-wrap: anywhere }
html { background: var(--ground) }
header { display: flex; align-items: center; gap: .75rem; margin: 0 0 1rem; font-weight: 600 }
header img { max-width: 50%; height: 2.5rem; object-fit: contain }
main { padding: clamp(1.25rem, 5vw, 2rem); background: var(--paper); border: 1px solid var(--line);
  border-top: .25rem solid var(--brand); border-radius: .5rem }
main > :last-child { margin-bottom: 0 }
h1 { margin: 0 0 1rem; font-size: 1.5rem; line-height: 1.3 }
h2 { margin: 1.5rem 0 .5rem; font-size: 1.125rem }
p { margin: 0 0 1rem }
a { color: inherit }
button, input { min-height: 2.75rem; padding: .5rem 1rem; font: inherit; color: inherit; border-radius: .375rem }
button { max-width: 100%; font-weight: 600; color: var(--on-brand); background: var(--brand);
  border: 1px solid var(--line); cursor: pointer }
button.second { color: inherit; background: none; border-color: var(--field) }
input { width: 100%; padding-inline: .75rem; background: var(--paper); border: 1px solid var(--field) }
label { display: block; margin: 0 0 .25rem; font-weight: 600 }
:focus-visible { outline: 3px solid currentColor; outline-offset: 2px }
details { margin: 1.5rem 0 0; padding: .5rem 0 0; border-top: 1px solid var(--line) }
summary { padding: .625rem 0; color: var(--quiet); cursor: pointer }
.rule, .quiet { color: var(--quiet); font-size: .875rem }
.rule { margin: 0 0 .5rem }
.wrong { color: var(--wrong); font-weight: 600 }
input[aria-invalid] { border: 2px solid var(--wrong) }
dl { display: grid; grid-template-columns: minmax(7rem, 1fr) 2fr; margin: 0 0 1rem; border-top: 1px solid var(--line) }
dl > div { display: grid; grid-template-columns: subgrid; grid-column: 1 / -1; gap: 1rem; padding: .5rem 0;
  border-bottom: 1px solid var(--line) }
dt { color: var(--quiet) }
dd { margin: 0 }
dl > .total { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: baseline; gap: 0 1rem;
  padding: 1rem 0; border-bottom: 3px double var(--ink) }
.total dt { color: inherit; font-weight: 600 }
.total dd { flex: none; max-width: 100% }
.number { font-size: clamp(.8125rem, 3.9vw, 1rem) }
.total dd, .sum { font-size: clamp(1.5rem, 7vw, 2rem); font-weight: 700; line-height: 1.2;
  font-variant-numeric: tabular-nums }
.forms { display: flex; flex-wrap: wrap; gap: .5rem; margin: 0 0 1rem }
.forms form { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem; max-width: 100% }
.forms form:not(:first-child) button { color: inherit; background: none; border-color: var(--field) }
.forms input { width: 9rem }
.forms label { margin: 0; font-weight: 400 }
@media (max-width: 30rem) { dl, dl > div { display: block } }
@media print {
  :root { color-scheme: only light; ${LIGHT} }
  html, body { background: none; padding: 0 }
  main { padding: 0; border: 0 }
  form, details { display: none }
}
`
