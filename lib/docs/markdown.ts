import { Marked, type TokenizerAndRendererExtension } from 'marked'
import { escapeHtml } from '#lib/kernel/html'
import type { Samples } from './samples.ts'

/** Shows one request as a shell command and in TypeScript; the reader opens one of the two. */
export const samplesHtml = ({ curl, typescript }: Samples): string =>
  `<div class="samples"><details open><summary>curl</summary>${codeBlock('sh', curl)}</details>
<details><summary>TypeScript</summary>${codeBlock('ts', typescript)}<p>With <a href="#typed-client">a typed client</a>.</p></details></div>
`

const codeBlock = (language: string, code: string): string =>
  `<pre><code class="language-${language}">${escapeHtml(code)}</code></pre>`

/** An `sh` block that a `ts` block follows: the same request as a shell command and in TypeScript. */
const SAMPLES: TokenizerAndRendererExtension = {
  name: 'samples',
  level: 'block',
  start: (source) => source.indexOf('```sh\n'),
  tokenizer: (source) => {
    const [raw, curl, typescript] = /^```sh\n([\s\S]*?)\n```\n\n```ts\n([\s\S]*?)\n```\n/.exec(source) ?? []
    // A fence within `curl` means that no `ts` block follows the `sh` block: the match ran on to a later one.
    return raw === undefined || curl?.includes('\n```')
      ? undefined
      : { type: 'samples', raw, curl, typescript }
  },
  renderer: ({ curl, typescript }) => samplesHtml({ curl, typescript }),
}

/**
 * Writes Markdown of our own as HTML. Headings get ids that begin with `prefix`, so that each can be linked to; the
 * first heading is left out, since the page sets it.
 */
export function htmlOf(markdown: string, prefix: string): string {
  const marked = new Marked({
    extensions: [SAMPLES],
    renderer: {
      heading({ tokens, depth, text }) {
        if (depth === 1) return ''
        const id = `${prefix}-${slugOf(text)}`
        const inner = this.parser.parseInline(tokens)
        return `<h${depth} id="${id}"><a class="anchor" href="#${id}">${inner}</a></h${depth}>\n`
      },
      table(token) {
        const row = (cells: typeof token.header, tag: string) =>
          `<tr>${cells.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')}</tr>`
        const rows = token.rows.map((cells) => row(cells, 'td')).join('\n')
        return `<div class="wide"><table><thead>${row(token.header, 'th')}</thead><tbody>${rows}</tbody></table></div>\n`
      },
    },
  })
  return marked.parse(markdown, { async: false })
}

/** Writes one line of Markdown as HTML: code and links, no paragraph. */
export const inlineHtmlOf = (markdown: string): string => new Marked().parseInline(markdown, { async: false })

/** Returns the first heading of a guide. */
export const titleOf = (markdown: string): string => /^# (.+)$/m.exec(markdown)?.[1] ?? ''

const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
