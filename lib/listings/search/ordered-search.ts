import { type Budget, fullBudget } from './budget.ts'
import { isDescending, listedMinimum } from './lists.ts'
import { agentPartition, orderedPartitions, priceRange } from './search.keys.ts'
import type { ListedEntry, SearchIndex } from './search-index.ts'
import { isAskedFor, type Search } from './search-query.ts'

type OrderedSearch = Extract<Search, { by: 'order' }>

/** A list that is being read: what was read and not used yet, and where to go on. */
type Stream = { partition: string; waiting: ListedEntry[]; after: string | undefined; isEnd: boolean }

type Question = { limit: number; after: string | undefined }

/**
 * The next entries that a search asks for, in order, merged from the few lists that hold them. `next` is the
 * order of the last one looked at; undefined at the end. Stops short when the page's budget is spent.
 */
export async function searchInOrder(
  index: Pick<SearchIndex, 'read'>,
  search: OrderedSearch,
  { limit, after }: Question,
): Promise<{ found: ListedEntry[]; next: string | undefined }> {
  const streams = partitionsFor(search).map(
    (partition): Stream => ({ partition, waiting: [], after, isEnd: false }),
  )
  const budget = fullBudget()
  const found: ListedEntry[] = []
  let [looked, next] = [0, after]
  while (found.length < limit) {
    const dry = streams.filter(({ waiting, isEnd }) => waiting.length === 0 && !isEnd)
    if (dry.length > 0) {
      const expected = ((limit - found.length) * (looked + 1)) / (found.length + 1)
      if (!(await refill(index, search, streams, dry, expected, budget))) break
      continue
    }
    const first = takeFirst(streams, isDescending(search.sort))
    if (!first) return { found, next: undefined }
    next = first.order
    looked += 1
    if (isAskedFor(first.entry, search.filters)) found.push(first)
  }
  const isDone = streams.every(({ waiting, isEnd }) => waiting.length === 0 && isEnd)
  return { found, next: isDone ? undefined : next }
}

/** Reads on in the lists that ran dry, about as much as is still expected of each; false when nothing is left to spend. */
async function refill(
  index: Pick<SearchIndex, 'read'>,
  { list, sort, filters }: OrderedSearch,
  streams: readonly Stream[],
  dry: readonly Stream[],
  expected: number,
  budget: Budget,
): Promise<boolean> {
  const share = Math.ceil(expected / streams.length) + (streams.length > 1 ? 1 : 0)
  const limit = Math.min(share, Math.floor(budget.entries / dry.length))
  if (budget.queries < dry.length || limit < 1) return false
  budget.queries -= dry.length
  await Promise.all(
    dry.map(async (stream) => {
      const { found, isEnd } = await index.read({
        partition: stream.partition,
        descending: isDescending(sort),
        limit,
        after: stream.after,
        ...(list !== 'newest' && { between: priceRange(filters.minimum, filters.maximum) }),
      })
      budget.entries -= found.length
      stream.waiting = found
      stream.after = found.at(-1)?.order ?? stream.after
      stream.isEnd = isEnd
    }),
  )
  return true
}

function takeFirst(streams: readonly Stream[], descending: boolean): ListedEntry | undefined {
  let best: Stream | undefined
  for (const stream of streams) {
    const [order, bestOrder] = [stream.waiting[0]?.order, best?.waiting[0]?.order]
    if (order === undefined) continue
    if (bestOrder === undefined || (descending ? order > bestOrder : order < bestOrder)) best = stream
  }
  return best?.waiting.shift()
}

/** The lists that hold what is asked for, and as little else as possible. */
function partitionsFor({ list, filters }: OrderedSearch): string[] {
  const { agentId, offer, category, country, city, bedrooms } = filters
  if (agentId) return [agentPartition(agentId, list)]
  return (offer ? [offer] : ['sale', 'rent']).flatMap((each) =>
    orderedPartitions({
      sort: list,
      offer: each,
      category,
      country: city === undefined ? country : undefined,
      city,
      bedrooms: listedMinimum(bedrooms),
    }),
  )
}
