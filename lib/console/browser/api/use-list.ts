import { useRef } from 'preact/hooks'
import { type Loading, pollAlways, useLoad } from './use-load.ts'

type Page<T> = { items: T[]; nextCursor: string | null }
type LoadPage<T> = (cursor: string | undefined) => Promise<Page<T>>

/** A list as far as it was loaded. */
export type List<T> = Omit<Loading<T[]>, 'value'> & {
  items: T[] | undefined
  hasMore: boolean
  more: () => void
}

/**
 * Loads a list page by page: the first at once, and each further page when `more` is called. While the first page alone
 * is shown and `isPolled` is true, the page is loaded again every ten seconds. `reload` loads all shown pages again.
 */
export function useList<T>(key: string, load: LoadPage<T>, isPolled: () => boolean = pollAlways): List<T> {
  const pages = useRef({ key, shownPages: 1, isAppending: false })
  if (pages.current.key !== key) pages.current = { key, shownPages: 1, isAppending: false }
  const state = pages.current
  const loadPages = (): Promise<Page<T>> =>
    state.isAppending && loading.value ? append(load, loading.value) : firstPages(load, state.shownPages)
  const loading: Loading<Page<T>> = useLoad(key, loadPages, () => state.shownPages === 1 && isPolled())
  const { value, failure, reload } = loading
  const more = () => {
    if (state.isAppending) return
    // `loadPages` then appends the next page.
    state.isAppending = true
    void reload().finally(() => {
      state.isAppending = false
      state.shownPages += 1
    })
  }
  return { items: value?.items, failure, reload, hasMore: value?.nextCursor != null, more }
}

/** Returns a list with its next page. */
async function append<T>(load: LoadPage<T>, { items, nextCursor }: Page<T>): Promise<Page<T>> {
  if (nextCursor === null) return { items, nextCursor }
  const next = await load(nextCursor)
  return { items: [...items, ...next.items], nextCursor: next.nextCursor }
}

async function firstPages<T>(load: LoadPage<T>, wanted: number): Promise<Page<T>> {
  let list = await load(undefined)
  for (let shown = 1; shown < wanted && list.nextCursor !== null; shown++) list = await append(load, list)
  return list
}
