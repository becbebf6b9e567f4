import { DomainError } from '#lib/kernel/domain-error'

/** More pages than can be read in the time that reading a payment has. */
const PAGES_MAX = 50

/** A page of a list: its items, and where the next page is; undefined or null after the last page. */
type Page<Item, Place> = { items: readonly Item[]; next?: Place | null | undefined }

/** The page of a list that is not there, or that the account may not read. */
export const NO_PAGE: Page<never, never> = { items: [] }

/**
 * Reads a list to its end, page by page: `first` and each `next` say where. Throws `provider_unavailable` for a list
 * that has no end within 50 pages, so that a provider which repeats itself is not asked for ever.
 */
export async function readWholeList<Item, Place>(
  first: Place,
  read: (place: Place) => Promise<Page<Item, Place>>,
): Promise<Item[]> {
  const found: Item[] = []
  let place: Place | null | undefined = first
  for (let pages = 0; place != null; pages += 1) {
    if (pages === PAGES_MAX) {
      throw new DomainError('provider_unavailable', { cause: new Error('The list has no end') })
    }
    const { items, next }: Page<Item, Place> = await read(place)
    found.push(...items)
    place = next
  }
  return found
}

/**
 * A page of a list without a mark of its end: a page that is not full is the last. `step` leads to the next place: 1 for
 * page numbers, `pageSize` for offsets.
 */
export const pageAt = <Item>(items: readonly Item[], place: number, pageSize: number, step: number) => ({
  items,
  next: items.length < pageSize ? undefined : place + step,
})

/** A page of a list with a count of all items: `skipped` items are before this page. */
export const pageOf = <Item>(
  items: readonly Item[],
  skipped: number,
  total: number | string | null | undefined,
) => {
  const read = skipped + items.length
  return { items, next: items.length > 0 && read < Number(total ?? 0) ? read : undefined }
}

/** A page of a list that is read after the id of an item, and that says whether more items follow. */
export const pageAfterId = <Item extends { id: string }>(
  items: readonly Item[],
  hasMore: boolean | null | undefined,
) => ({ items, next: hasMore ? items.at(-1)?.id : undefined })
