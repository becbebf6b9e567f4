import type * as z from 'zod'
import { Timestamp } from '#lib/kernel/clock'
import type { Page } from '#lib/kernel/page'
import type { Key } from '#lib/kernel/write'
import type { Item } from './item.ts'
import type { QueryOptions } from './reads.ts'
import type { Table } from './table.ts'

/** The number of partitions of a sharded list, so that no partition takes all its writes. */
const SHARDS = 4

/** Returns the shard of a text: always the same one. `>>> 0` keeps the sum a whole number of 32 bits. */
export function shardOf(text: string, shards = SHARDS): number {
  let sum = 0
  for (const character of text) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) >>> 0
  return sum % shards
}

/** Returns the partitions of a sharded list, in the table or in an index. */
export const shardsOf = (list: string, shards = SHARDS): string[] =>
  Array.from({ length: shards }, (_, shard) => `${list}#${shard}`)

/** The key of an entry in a sharded list. Its sort key is unique in the whole list. */
export const shardedKey = (list: string, sortKey: string): Key => ({
  pk: `${list}#${shardOf(sortKey)}`,
  sk: sortKey,
})

/** A stretch of a list: at most `limit` entries after the sort key of the last entry seen. */
type Stretch = {
  limit: number
  after: string | undefined
  descending?: boolean
  /** Only entries whose sort key begins with this. Not supported for an index. */
  beginsWith?: string
}

/** Returns a page of a sharded list, in order over all its shards: always four queries at once, whatever its length. */
export const queryShards = (table: Table, list: string, stretch: Stretch): Promise<Page<Item, string>> =>
  queryMerged(table, shardsOf(list), stretch)

/**
 * Returns a page of several partitions as if they were one list: a query for each, at once. An entry that is moving from
 * one partition to another may be in both, and is returned once.
 */
export async function queryMerged(
  table: Table,
  partitions: readonly string[],
  { limit, after, descending = false, beginsWith }: Stretch,
  index?: QueryOptions['index'],
): Promise<Page<Item, string>> {
  const parts = await Promise.all(
    partitions.map((partition) =>
      table.query({
        partition,
        limit,
        after,
        descending,
        ...(beginsWith !== undefined && { beginsWith }),
        // DynamoDB has no consistent reads of an index.
        ...(index === undefined ? { consistent: true } : { index }),
      }),
    ),
  )
  const sortKeyOf = (item: Item) => String(item[`${index ?? ''}sk`])
  const bySortKey = new Map(
    parts.flatMap(({ items }) => items.map((item): [string, Item] => [sortKeyOf(item), item])),
  )
  // A query that ends early, at its limit or a megabyte, names its last entry. Entries of other partitions beyond that one
  // wait for the next page, which would otherwise miss those between them.
  const lasts = parts.flatMap(({ last }) => last ?? [])
  const isWithin = (sortKey: string) =>
    lasts.every((last) => (descending ? sortKey >= last : sortKey <= last))
  const entries = [...bySortKey]
    .filter(([sortKey]) => isWithin(sortKey))
    .sort(([one], [other]) => (one < other ? -1 : 1))
  if (descending) entries.reverse()
  const page = entries.slice(0, limit)
  const isMore = entries.length > limit || lasts.length > 0
  return { items: page.map(([, item]) => item), next: isMore ? page.at(-1)?.[0] : undefined }
}

/** Returns the parsed records of these ids, by id; ids without a record are left out. */
export async function recordsById<Id extends string, Stored extends { id: Id }>(
  table: Table,
  ids: readonly Id[],
  keyOf: (id: Id) => Key,
  record: z.ZodType<Stored>,
): Promise<Map<Id, Stored>> {
  const items = ids.length > 0 ? await table.getMany(ids.map(keyOf)) : []
  const records = items.map((item) => record.parse(item))
  return new Map(records.map((stored) => [stored.id, stored]))
}

/** Returns the parsed records of these ids, in their order; ids without a record are left out. */
export async function recordsInOrder<Id extends string, Stored extends { id: Id }>(
  table: Table,
  ids: readonly Id[],
  keyOf: (id: Id) => Key,
  record: z.ZodType<Stored>,
): Promise<Stored[]> {
  const found = await recordsById(table, ids, keyOf, record)
  return ids.flatMap((id) => found.get(id) ?? [])
}

/** Returns the items of index entries that hold only keys, in the order of the entries. */
export async function itemsOfEntries(table: Table, entries: readonly Item[]): Promise<Item[]> {
  const placeOf = ({ pk, sk }: Item): string => `${pk} ${sk}`
  const found = await table.getMany(entries.map(({ pk, sk }) => ({ pk: String(pk), sk: String(sk) })))
  const items = new Map(found.map((item): [string, Item] => [placeOf(item), item]))
  return entries.map((entry) => items.get(placeOf(entry))).filter((item) => item !== undefined)
}

/** Reads a sort key of the form `<moment>#<id>`. */
export function readSortKey(sortKey: unknown): { at: Timestamp; id: string } {
  const text = String(sortKey)
  const end = text.indexOf('#')
  return { at: Timestamp.parse(text.slice(0, end)), id: text.slice(end + 1) }
}
