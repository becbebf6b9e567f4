/** The length of the text shown around a match. */
const CONTEXT_CHARACTERS = 40

/** An entry of the contents with all that is said where it leads to, and then the words that it is found by besides. */
type Entry = {
  item: HTMLElement
  link: HTMLAnchorElement
  name: string
  text: string
  saidCharacters: number
}

/**
 * Leaves in the contents the links that hold every word typed, and links to a text with the same words in a row. Without
 * such a text, links to texts with each word stay. Opens the groups of the links, and shows where the words stand.
 */
export function findIn(contents: HTMLElement, field: HTMLElement, none: HTMLElement): void {
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
      if (!isNamed && at !== undefined && at < entry.saidCharacters) link.append(passageOf(entry, at))
    }
    for (const group of groups) {
      const hasHits = group.querySelector('li:not([hidden])') !== null
      group.hidden = !hasHits
      if (words.length > 0) group.open = hasHits
    }
    none.hidden = entries.some(({ item }) => !item.hidden)
  })
}

function entryOf(item: HTMLElement): Entry[] {
  const link = item.querySelector('a')
  if (!link) return []
  const target = document.getElementById(link.hash.slice(1))
  const said = (target?.textContent ?? '').replace(/\s+/g, ' ')
  const text = `${said} ${target?.dataset['words'] ?? ''}`
  const name = `${item.textContent} ${link.hash}`.toLowerCase()
  return [{ item, link, name, text, saidCharacters: said.length }]
}

/** The entries whose texts hold the words, and where in them. */
function textsWith(entries: readonly Entry[], words: readonly string[]): Map<Entry, number> {
  if (words.length === 0) return new Map()
  const inARow = placesOf(entries, [beginning(words.join(' '))])
  return inARow.size > 0 ? inARow : placesOf(entries, words.map(beginning))
}

function placesOf(entries: readonly Entry[], patterns: readonly RegExp[]): Map<Entry, number> {
  const places = entries.map((entry) => [entry, patterns.map((each) => entry.text.search(each))] as const)
  return new Map(
    places.flatMap(([entry, [first = -1, ...more]]) =>
      [first, ...more].includes(-1) ? [] : [[entry, first] as const],
    ),
  )
}

/** The typed text, at the beginning of a word. */
const beginning = (typed: string): RegExp =>
  new RegExp(`(?<![a-z0-9])${typed.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')}`, 'i')

function passageOf({ text }: Entry, at: number): HTMLElement {
  const passage = document.createElement('small')
  passage.className = 'hit'
  passage.textContent = `… ${text.slice(Math.max(0, at - CONTEXT_CHARACTERS), at + CONTEXT_CHARACTERS)} …`
  return passage
}
