import { escapeHtml } from '#lib/kernel/html'
import { directionOf } from '#lib/kernel/locale'
import type { Detail, MailContent, MailItem } from './mail-content.ts'
import { mailWordsIn } from './words/words-in.ts'

/**
 * Makes the HTML part of a mail, for Gmail and Outlook as much as for browsers: tables, styles in attributes, no picture
 * and nothing that is loaded. The `style` element holds dark mode alone: a client that drops it shows the light page.
 */
export function layOutHtml(content: MailContent): string {
  const { locale, title, text, message, details, action, closing, points, items } = content
  const direction = directionOf(locale)
  const words = mailWordsIn(locale)
  const rows = [
    `<h1 style="${STYLES.title}">${escapeHtml(title)}</h1>`,
    paragraph(text),
    points.length > 0 && list(points, direction),
    items.length > 0 && itemList(items, direction),
    message !== null && `${paragraph(words.message, STYLES.label)}${quote(message, direction)}`,
    details.length > 0 && table(details, direction),
    action && `${button(action)}${paragraph(words.orOpen, STYLES.small)}${link(action.address, direction)}`,
    closing !== null && paragraph(closing),
  ]
  return `<!doctype html>
<html lang="${locale}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(title)}</title>
<style>${DARK}</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f3f4f6">
<table role="presentation" class="page" ${SPACELESS} width="100%" bgcolor="#f3f4f6" lang="${locale}" dir="${direction}">
<tr><td align="center" style="padding:24px 12px">
<table role="presentation" class="card" ${SPACELESS} width="560" bgcolor="#ffffff" style="width:100%;max-width:560px;border-radius:8px">
<tr><td class="ink" align="${startOf(direction)}" style="${STYLES.card}">
${rows.filter(Boolean).join('\n')}
</td></tr>
</table>
${footerOf(content)}</td></tr>
</table>
</body>
</html>
`
}

/** Returns the link that switches mails of this topic off, or says that they are always sent. A mailed link has no footer. */
function footerOf({ locale, optOut }: MailContent): string {
  if (optOut === null) return ''
  const words = mailWordsIn(locale)
  const content =
    optOut === 'none' ? escapeHtml(words.always) : linkTo(optOut.address, words.stop[optOut.topic])
  return `<table role="presentation" ${SPACELESS} width="560" style="width:100%;max-width:560px">
<tr><td class="quiet" align="center" style="${STYLES.footer}">${content}</td></tr>
</table>
`
}

type Direction = ReturnType<typeof directionOf>

const startOf = (direction: Direction) => (direction === 'rtl' ? 'right' : 'left')

const SPACELESS = 'border="0" cellpadding="0" cellspacing="0"'

const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
/** A long word or address breaks instead of widening the page. */
const BREAKING = 'overflow-wrap:anywhere;word-break:break-word'
const CELL = 'padding:8px 0;border-bottom:1px solid #e5e7eb;font-size:15px'
const STYLES = {
  card: `${FONT};font-size:16px;line-height:1.5;color:#1f2937;padding:32px 28px 16px;${BREAKING}`,
  title: 'margin:0 0 16px;font-size:22px;line-height:1.3;font-weight:600',
  paragraph: 'margin:0 0 16px',
  label: 'margin:0 0 4px;font-weight:600',
  small: 'margin:0 0 4px;font-size:13px',
  cell: CELL,
  head: `${CELL};color:#4b5563;font-weight:400`,
  footer: `${FONT};font-size:13px;line-height:1.5;color:#4b5563;padding:16px 28px;${BREAKING}`,
}

const DARK = `
:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
.page{background:#111827!important}
.card{background:#1f2937!important}
.ink,.ink td,.ink h1{color:#f3f4f6!important}
.quiet,.ink .quiet{color:#b6bdc9!important}
.line{border-color:#4b5563!important}
.link{color:#93c5fd!important}
}
`

const paragraph = (text: string, style = STYLES.paragraph): string => `<p style="${style}">${lines(text)}</p>`

/** Keeps line breaks: a browser would otherwise join the lines. */
const lines = (text: string): string => escapeHtml(text).replace(/\r?\n/g, '<br>')

const list = (points: readonly string[], direction: Direction): string =>
  listOf(points.map(escapeHtml), direction)

const itemList = (items: readonly MailItem[], direction: Direction): string =>
  listOf(
    items.map(({ text, address }) => (address === null ? escapeHtml(text) : linkTo(address, text))),
    direction,
  )

/** `lines` are HTML. */
const listOf = (lines: readonly string[], direction: Direction): string =>
  `<ul style="margin:0 0 16px;padding:0;padding-${startOf(direction)}:24px">${lines
    .map((line) => `<li style="margin:0 0 4px">${line}</li>`)
    .join('')}</ul>`

const quote = (text: string, direction: Direction): string =>
  `<table role="presentation" ${SPACELESS} width="100%" style="margin:0 0 16px"><tr><td class="line" dir="auto" style="border-${startOf(direction)}:3px solid #d1d5db;padding:4px 12px">${lines(text)}</td></tr></table>`

const table = (details: readonly Detail[], direction: Direction): string => {
  const align = startOf(direction)
  const rows = details.map(
    ({ label, value }) =>
      `<tr><th class="quiet line" scope="row" align="${align}" valign="top" width="38%" style="${STYLES.head};text-align:${align}">${escapeHtml(label)}</th><td class="line" align="${align}" valign="top" style="${STYLES.cell}">${escapeHtml(value)}</td></tr>`,
  )
  return `<table ${SPACELESS} width="100%" style="margin:0 0 20px">${rows.join('')}</table>`
}

/** Outlook ignores the padding of links, so the cell around the link has the colour and the padding. */
const button = ({ label, address }: { label: string; address: string }): string =>
  `<table role="presentation" ${SPACELESS} style="margin:4px 0 20px"><tr><td bgcolor="#1d4ed8" style="border-radius:6px;padding:12px 20px"><a href="${escapeHtml(address)}" style="color:#ffffff;font-weight:600;text-decoration:none">${escapeHtml(label)}</a></td></tr></table>`

const link = (address: string, direction: Direction): string =>
  `<p dir="ltr" style="margin:0 0 20px;font-size:13px;text-align:${startOf(direction)}">${linkTo(address, address)}</p>`

const linkTo = (address: string, label: string): string =>
  `<a class="link" href="${escapeHtml(address)}" style="color:#1d4ed8">${escapeHtml(label)}</a>`
