import { SAMPLE_ORIGIN } from '../samples-origin.ts'

/** The parts that are coloured, by class: the first match counts. */
const TOKENS = [
  ['comment', '(?:^|(?<=\\s))(?:#|//)[^\\n]*'],
  ['string', '"(?:[^"\\\\]|\\\\.)*"|\'(?:[^\'\\\\]|\\\\.)*\'|`(?:[^`\\\\]|\\\\.)*`'],
  [
    'keyword',
    '\\b(?:await|async|const|let|import|export|from|type|new|return|if|else|for|while|do|done|then|fi|curl|npm|npx)\\b',
  ],
  ['number', '\\b\\d+(?:\\.\\d+)?\\b|\\b(?:true|false|null)\\b'],
  // A variable or an option of a shell command.
  ['name', '\\$\\w+|(?<=\\s)--?[a-z][\\w-]*'],
] as const

const PATTERN = new RegExp(TOKENS.map(([, pattern]) => `(${pattern})`).join('|'), 'gm')

/** Makes the examples call the address that the page was served from, colours them, and gives each a button that copies it. */
export function prepareCode(): void {
  for (const code of document.querySelectorAll<HTMLElement>(':not(pre) > code')) {
    if (code.textContent?.includes(SAMPLE_ORIGIN)) code.textContent = withPageOrigin(code.textContent)
  }
  for (const block of document.querySelectorAll<HTMLElement>('pre')) {
    const code = block.querySelector('code')
    if (!code) continue
    const text = withPageOrigin(code.textContent ?? '')
    code.replaceChildren(...coloured(text))
    block.tabIndex = 0
    block.before(copyButton(text))
  }
}

const withPageOrigin = (text: string): string => text.replaceAll(SAMPLE_ORIGIN, location.origin)

function coloured(text: string): (string | HTMLElement)[] {
  const parts: (string | HTMLElement)[] = []
  let end = 0
  for (const match of text.matchAll(PATTERN)) {
    const place = match.slice(1).findIndex((group) => group !== undefined)
    const token = document.createElement('span')
    token.className = TOKENS[place]?.[0] ?? ''
    token.textContent = match[0]
    parts.push(text.slice(end, match.index), token)
    end = match.index + match[0].length
  }
  return [...parts, text.slice(end)]
}

function copyButton(text: string): HTMLElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(text)
    button.textContent = 'Copied'
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 2_000)
  })
  return button
}
