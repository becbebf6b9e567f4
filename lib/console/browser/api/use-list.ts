import { useRef } from 'preact/hooks'
import { type Loading, useLoad } from './use-load.ts'

type Page<T> = { items: T[]; nextCursor: string | null }

/** A list as far as it was loaded. */
export type List<T> = Omit<Loading<T[]>, 'value'> & {
  items: T[] | undefined
  hasMore: boolean
  more: () => void
}

/**
 * Loads a list page by page: the first at once and every ten seconds, each further one when `more` is called. Asking
 * again asks for all pages that are shown.
 */
export function useList<T>(key: string, load: (cursor: string | undefined) => Promise<Page<T>>): List<T> {
  const pages = useRef({ key, wanted: 1, isBusy: false })
  if (pages.current.key !== key) pages.current = { key, wanted: 1, isBusy: false }
  const { value, failure, reload } = useLoad(key, () => firstPages(load, pages.current.wanted), true)
  const more = () => {
    const state = pages.current
    if (state.isBusy) return
    state.isBusy = true
    state.wanted += 1
    void reload().finally(() => {
      state.isBusy = false
    })
  }
  return { items: value?.items, failure, reload, hasMore: value?.nextCursor != null, more }
}

async function firstPages<T>(
  load: (cursor: string | undefined) => Promise<Page<T>>,
  wanted: number,
): Promise<Page<T>> {
  let { items, nextCursor } = await load(undefined)
  for (let page = 1; page < wanted && nextCursor !== null; page++) {
    const next = await load(nextCursor)
    items = [...items, ...next.items]
    nextCursor = next.nextCursor
  }
  return { items, nextCursor }
}
