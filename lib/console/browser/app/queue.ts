import { go, linkTo } from './router.ts'

/** The ids of each page's list, in the order in which it was last shown. */
const last = new Map<string, string[]>()

/** Remembers the order of a page's list, so that the next of it is one key away. */
export const rememberQueue = (page: string, ids: readonly string[]): void => void last.set(page, [...ids])

/** Shows the next item of the reader's list, or the list at its end. */
export function goToNext(page: string, current: string): void {
  const ids = last.get(page) ?? []
  const next = ids[ids.indexOf(current) + 1]
  last.set(
    page,
    ids.filter((id) => id !== current),
  )
  go(linkTo(page, next))
}
