import type { Page } from '#lib/kernel/page'
import type { Key } from '#lib/kernel/write'
import type { Item, Table } from './table.ts'

/** Over how many partitions a list of all of a kind is spread, so that no key takes every write. */
const SHARDS = 4

/** The key of an entry in a list that has one order over everything; `order` sorts and is unique. */
export const shardedKey = (list: string, order: string): Key => ({
  pk: `${list}#${shardOf(order)}`,
  sk: order,
})

/** Any text goes to the same shard each time. */
function shardOf(order: string): number {
  let sum = 0
  for (const character of order) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) >>> 0
  return sum % SHARDS
}

/**
 * A page of such a list, in order over all its shards: always four queries, at once, whatever the list holds.
 * `after` is the `order` of the last entry seen.
 */
export async function queryShards(
  table: Table,
  list: string,
  { limit, after, descending = false }: { limit: number; after: string | undefined; descending?: boolean },
): Promise<Page<Item, string>> {
  const shards = await Promise.all(
    Array.from({ length: SHARDS }, (_, shard) => {
      const partition = `${list}#${shard}`
      return table.query({
        partition,
        limit,
        descending,
        consistent: true,
        ...(after !== undefined && { after: { pk: partition, sk: after } }),
      })
    }),
  )
  const direction = descending ? -1 : 1
  const merged = shards
    .flatMap(({ items }) => items)
    .sort((a, b) => (String(a['sk']) < String(b['sk']) ? -direction : direction))
  const items = merged.slice(0, limit)
  const isMore = merged.length > limit || shards.some(({ last }) => last !== undefined)
  return { items, next: isMore ? String(items.at(-1)?.['sk']) : undefined }
}
