/** Text as it may stand in HTML, between tags or in a quoted attribute. */
const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`)

/** A message of a few paragraphs, plain enough for any reader. `paragraphs` are HTML already. */
export const htmlPage = (title: string, paragraphs: readonly string[]): string =>
  [
    '<!doctype html>',
    `<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head>`,
    '<body style="font-family: sans-serif; line-height: 1.5; max-width: 36em">',
    ...paragraphs.map((paragraph) => `<p>${paragraph}</p>`),
    '</body></html>',
    '',
  ].join('\n')

/** A link that shows where it leads. */
export const htmlLink = (link: string): string => `<a href="${escapeHtml(link)}">${escapeHtml(link)}</a>`
