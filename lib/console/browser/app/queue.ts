import { go, linkTo } from './router.ts'

/** The ids of each page's list, in the order in which it was last shown. */
const shownIds = new Map<string, string[]>()

/** Remembers the order of a page's list, so that a key can lead from one item to the next. */
export const rememberOrder = (page: string, ids: readonly string[]): void => void shownIds.set(page, [...ids])

/**
 * Shows the item after the current one in a page's list, and after the last the list itself. The current item leaves the
 * list: usually it has been decided. If it is not in the list, the first item follows.
 */
export function goToNext(page: string, current: string): void {
  const ids = shownIds.get(page) ?? []
  const next = ids[ids.indexOf(current) + 1]
  shownIds.set(
    page,
    ids.filter((id) => id !== current),
  )
  go(linkTo(page, next))
}
