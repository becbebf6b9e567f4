/** Returns text as it may stand in HTML, between tags or in a quoted attribute. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** A document for a browser. `imageSource` is where its pictures come from, as a Content-Security-Policy names it. */
export type HtmlPage = { readonly html: string; readonly imageSource: string | null }
