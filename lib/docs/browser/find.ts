/** The length of the text shown around a match. */
const CONTEXT_CHARACTERS = 40

/** An entry of the contents. */
type Entry = {
  item: HTMLElement
  link: HTMLAnchorElement
  name: string
  /** The text of the section that the link leads to, and after it further search words that the page does not show. */
  text: string
  /** The length of the shown part of `text`. */
  shownCharacters: number
}

/**
 * Hides the links of the contents that do not match the typed words, and opens the groups of the others. A link matches
 * by its own name, or by the text of its section if that holds the words in a row. If no section holds them in a row,
 * the sections that hold each word match. Under a link that matches by its section, shows where the words are.
 */
export function findIn(contents: HTMLElement, field: HTMLElement, noMatch: HTMLElement): void {
  if (!(field instanceof HTMLInputElement)) return
  const groups = [...contents.querySelectorAll('details')]
  let entries: Entry[] | undefined
  field.addEventListener('input', () => {
    entries ??= [...contents.querySelectorAll('li')].flatMap(entryOf)
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean)
    const found = textsWith(entries, words)
    for (const entry of entries) {
      const { item, link, name } = entry
      const isNamed = words.every((word) => name.includes(word))
      const at = found.get(entry)
      item.hidden = !isNamed && at === undefined
      link.querySelector('.hit')?.remove()
      if (!isNamed && at !== undefined && at < entry.shownCharacters) link.append(passageOf(entry, at))
    }
    for (const group of groups) {
      const hasHits = group.querySelector('li:not([hidden])') !== null
      group.hidden = !hasHits
      if (words.length > 0) group.open = hasHits
    }
    noMatch.hidden = entries.some(({ item }) => !item.hidden)
  })
}

function entryOf(item: HTMLElement): Entry[] {
  const link = item.querySelector('a')
  if (!link) return []
  const target = document.getElementById(link.hash.slice(1))
  const shown = (target?.textContent ?? '').replace(/\s+/g, ' ')
  const text = `${shown} ${target?.dataset['words'] ?? ''}`
  const name = `${item.textContent} ${link.hash}`.toLowerCase()
  return [{ item, link, name, text, shownCharacters: shown.length }]
}

/** Returns the entries whose texts hold the words, each with the position of the first word. */
function textsWith(entries: readonly Entry[], words: readonly string[]): Map<Entry, number> {
  if (words.length === 0) return new Map()
  const inARow = placesOf(entries, [beginning(words.join(' '))])
  return inARow.size > 0 ? inARow : placesOf(entries, words.map(beginning))
}

/** Returns the entries whose text matches every pattern, each with the position of the first pattern. */
function placesOf(entries: readonly Entry[], patterns: readonly RegExp[]): Map<Entry, number> {
  const places = new Map<Entry, number>()
  for (const entry of entries) {
    const [first = -1, ...others] = patterns.map((pattern) => entry.text.search(pattern))
    if (first !== -1 && !others.includes(-1)) places.set(entry, first)
  }
  return places
}

/** Returns a pattern of the typed text at the beginning of a word. */
const beginning = (typed: string): RegExp =>
  new RegExp(`(?<![a-z0-9])${typed.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')}`, 'i')

function passageOf({ text }: Entry, at: number): HTMLElement {
  const passage = document.createElement('small')
  passage.className = 'hit'
  passage.textContent = `… ${text.slice(Math.max(0, at - CONTEXT_CHARACTERS), at + CONTEXT_CHARACTERS)} …`
  return passage
}
