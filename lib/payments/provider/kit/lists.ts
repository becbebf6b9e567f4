import { DomainError } from '#lib/kernel/domain-error'

/** More pages than can be read in the time that reading a payment has. */
const PAGES_MAX = 50

/** A page of a list: its items, and where the page after it is; undefined after the last. */
type Page<Item, Place> = { items: readonly Item[]; next: Place | undefined }

/**
 * Reads a list to its end, page by page: `first` and each `next` say where. Throws `provider_unavailable` for a list
 * that has no end within 50 pages, so that a provider which repeats itself is not asked for ever.
 */
export async function wholeList<Item, Place>(
  first: Place,
  read: (place: Place) => Promise<Page<Item, Place>>,
): Promise<Item[]> {
  const found: Item[] = []
  let place: Place | undefined = first
  for (let pages = 0; place !== undefined; pages += 1) {
    if (pages === PAGES_MAX) {
      throw new DomainError('provider_unavailable', { cause: new Error('The list has no end') })
    }
    const { items, next }: Page<Item, Place> = await read(place)
    found.push(...items)
    place = next
  }
  return found
}

/** A page of a list without an end of its own: the last is the one that is not full. */
export const pageAt = <Item>(items: readonly Item[], place: number, full: number, step: number) => ({
  items,
  next: items.length < full ? undefined : place + step,
})
