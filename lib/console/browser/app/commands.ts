import { lackedRole } from '../session/session.ts'
import { keyActions } from './keys.ts'
import { pages } from './pages.tsx'
import { recent } from './recent.ts'
import { go, linkTo, route } from './router.ts'

/** Something that the command bar offers. */
export type Command = {
  key: string
  title: string
  /** The keys that do the same without the bar. */
  keys?: string
  /** The kind of the thing to which it leads. */
  kind?: string | undefined
  run: () => void
}

/** Keys that only lead to other pages and rows: the command bar leaves them out. */
const MOVES = /^(g .|[?/jk]|Escape|Arrow\w+)$/

/** Returns the commands of the open page: its keys, and its buttons, which get the focus and are pressed by Enter. */
export function commandsHere(): Command[] {
  const actions = keyActions
    .peek()
    .filter(({ keys }) => !MOVES.test(keys))
    .map(({ keys, does, run }) => ({ key: `key ${keys}`, title: does, keys, run }))
  const known = new Set(actions.map(({ title }) => title))
  const buttons = [
    ...document.querySelectorAll<HTMLButtonElement>('main .buttons > button:enabled:not([data-key])'),
  ]
    .map((button) => ({ title: textOf(button), run: () => button.focus() }))
    // A single character, such as the + of a map, says too little outside its place.
    .filter(({ title }) => title.length > 1 && !known.has(title))
  // One command for each text: the page may have several buttons with the same one.
  const byTitle = new Map(buttons.map((one) => [one.title, { key: `button ${one.title}`, ...one }]))
  return [...actions, ...byTitle.values()]
}

/** Returns the text of a button without its key. */
const textOf = ({ childNodes }: HTMLElement): string =>
  [...childNodes]
    .filter(({ nodeName }) => nodeName !== 'KBD')
    .map(({ textContent }) => textContent)
    .join('')
    .trim()

/** Returns the pages that the reader's roles open. */
export const pageCommands = (): Command[] =>
  Object.entries(pages)
    .filter(([name]) => lackedRole(name) === undefined)
    .map(([name, { title, key }]) => ({
      key: `page ${name}`,
      title,
      keys: `g ${key}`,
      run: () => go(linkTo(name)),
    }))

/** Returns the pages that the reader had open, without the present one. */
export const recentCommands = (): Command[] =>
  recent
    .peek()
    .filter(({ page, id }) => page !== route.peek().page || id !== route.peek().id)
    .map(({ page, id, title }) => ({
      key: `recent ${page} ${id}`,
      title,
      kind: pages[page]?.title,
      run: () => go(linkTo(page, id)),
    }))

const wordsOf = (text: string): string[] =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)

/** Whether each typed word begins a word of a command's title, in any case, with or without accents. */
export function fits({ title }: Command, typed: string): boolean {
  const [own, wanted] = [wordsOf(title), wordsOf(typed)]
  return (
    typed === '' || (wanted.length > 0 && wanted.every((word) => own.some((one) => one.startsWith(word))))
  )
}
