import { pageAfterId, pageAt, pageOf, readWholeList } from '#lib/providers/kit/lists'

/** How a provider pages a list: from a place on, with the number of all items, or after the last item seen. */
export type Lists = 'by offset' | 'by number' | 'by last id'

/** One item each: a list of fifty is longer than its reader goes through. */
const A_PAGE = 1

/** Which page of a list cannot be read, and before which one its last item moves to the front; 0 for none. */
type Faults = { breaksAt: number; movesAt: number }

/** Reads lists of a provider's, newest first, page by page as its adapter would. Throws `broken` for a page that breaks. */
export const pagedAs =
  (lists: Lists, { breaksAt, movesAt }: Faults, broken: () => Error) =>
  <Item extends { id: string }>(items: readonly Item[]): Promise<Item[]> => {
    let list = items.toReversed()
    let page = 0
    const next = () => {
      page += 1
      if (page === breaksAt) throw broken()
      if (page === movesAt) list = [...list.slice(-1), ...list.slice(0, -1)]
    }
    const from = (place: number) => list.slice(place, place + A_PAGE)
    if (lists === 'by last id') {
      return readWholeList('', async (after) => {
        next()
        const place = list.findIndex(({ id }) => id === after) + 1
        return pageAfterId(from(place), place + A_PAGE < list.length)
      })
    }
    return readWholeList(0, async (place) => {
      next()
      return lists === 'by offset'
        ? pageAt(from(place), place, A_PAGE, A_PAGE)
        : pageOf(from(place), place, list.length)
    })
  }
