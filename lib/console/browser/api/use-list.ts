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

type Pages<T> = {
  key: string
  shownPages: number
  /** Whether the next call of `loadPages` appends a page: `reload` passes it no argument. */
  isMoreWanted: boolean
  /** The load whose answer counts, while it is under way. */
  latest: Promise<Page<T>> | undefined
}

const firstOf = <T>(key: string): Pages<T> => ({
  key,
  shownPages: 1,
  isMoreWanted: false,
  latest: undefined,
})

/**
 * Loads a list page by page: the first at once, and each further page when `more` is called. While the first page alone
 * is shown and `isPolled` is true, the page is loaded again every ten seconds. `reload` loads all shown pages again.
 */
export function useList<T>(key: string, load: LoadPage<T>, isPolled: () => boolean = pollAlways): List<T> {
  const pages = useRef(firstOf<T>(key))
  if (pages.current.key !== key) pages.current = firstOf(key)
  const state = pages.current
  const loadPages = (): Promise<Page<T>> => {
    const isFurther = state.isMoreWanted
    state.isMoreWanted = false
    const loaded =
      isFurther && loading.value ? append(load, loading.value) : firstPages(load, state.shownPages)
    state.latest = loaded
    const end = () => {
      if (state.latest === loaded) state.latest = undefined
    }
    void loaded.then(end, end)
    return loaded
  }
  const loading: Loading<Page<T>> = useLoad(key, loadPages, () => state.shownPages === 1 && isPolled())
  const { value, failure, reload } = loading
  const more = () => {
    // The load under way may change the items. Once it shows them, the table calls `more` again.
    if (state.latest !== undefined) return
    state.isMoreWanted = true
    void reload().then((isShown) => {
      if (isShown) state.shownPages += 1
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
