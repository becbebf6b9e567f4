import { placesOf } from '#lib/listings/search/lists'
import type { SearchEntry } from '#lib/listings/search/search-entry'
import type { ListedEntry, ListQuestion } from '#lib/listings/search/search-index'

/**
 * The search lists in memory, as DynamoDB would hold them, so that thousands of searches over many worlds take
 * seconds. It counts, and refuses what DynamoDB refuses.
 */
export function inMemoryIndex() {
  const lists = new Map<string, ListedEntry[]>()
  const spent = { queries: 0, entries: 0 }
  const place = (list: ListedEntry[], order: string) => {
    let [low, high] = [0, list.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((list[middle]?.order ?? '') < order) low = middle + 1
      else high = middle
    }
    return low
  }
  const listOf = (partition: string) => {
    const list = lists.get(partition) ?? []
    lists.set(partition, list)
    return list
  }
  return {
    spent,
    enter: (entry: SearchEntry) => {
      for (const { pk, sk: order } of placesOf(entry)) {
        const list = listOf(pk)
        list.splice(place(list, order), 0, { order, entry })
      }
    },
    remove: (entry: SearchEntry) => {
      for (const { pk, sk: order } of placesOf(entry)) listOf(pk).splice(place(listOf(pk), order), 1)
    },
    read: async ({ partition, between, descending, limit, after }: ListQuestion) => {
      const [from, to] = between ?? ['0', '~']
      if (from > to || limit < 1) throw new Error('ValidationException: an empty range')
      if (after !== undefined && (after < from || after > to))
        throw new Error('ValidationException: outside the range')
      const list = listOf(partition)
      const within = list.slice(place(list, from), place(list, `${to}\u0000`))
      if (descending) within.reverse()
      const rest = within.filter(
        ({ order }) => after === undefined || (descending ? order < after : order > after),
      )
      const found = rest.slice(0, limit)
      spent.queries += 1
      spent.entries += found.length
      return { found, isEnd: rest.length < limit }
    },
  }
}
