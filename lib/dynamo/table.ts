import { type Config, type Dependency, dependency } from '#lib/config/config'
import type { Variable } from '#lib/config/variables'
import { allowed, type Changes, type Commit, type Guard, type Key, type Write } from '../kernel/write.ts'
import { type DynamoClient, dynamo } from './client.ts'
import { openDirectWrites } from './direct-writes.ts'
import type { Item } from './item.ts'
import { openReads, type QueryOptions, type QueryPage } from './reads.ts'
import { committer } from './transact.ts'

/** The requests of the stores to DynamoDB. This folder does not know the meaning of an item. */
export type Table = TableWrites & {
  /** Strongly consistent. */
  get: (key: Key) => Promise<Item | undefined>
  /** Strongly consistent, in no particular order; a key given twice is read once, missing items are left out. */
  getMany: (keys: readonly Key[]) => Promise<Item[]>
  /** One page: at most a megabyte, or `limit` items. */
  query: (options: QueryOptions) => Promise<QueryPage>
  /** Every item there is, or the first `limit` of them: a request for each megabyte. */
  queryAll: (options: QueryOptions) => Promise<Item[]>
  /** Counts items, at most `limit`: a request for each megabyte, of which only the number is sent. */
  count: (options: QueryOptions & { limit: number }) => Promise<number>
  /**
   * Adds to numbers of an item, which need not exist, sets the attributes of `set`, and returns the item afterwards. Each
   * of simultaneous callers receives its own result. Not safe to repeat, so never part of a change of state.
   */
  increment: (key: Key, add: Record<string, number>, set: Item) => Promise<Item>
  /** Stores or removes each item, unconditionally and in no order, 25 a request; safe to repeat. */
  writeEach: (writes: readonly ({ put: Item } | { remove: Key })[]) => Promise<void>
  commit: Commit
}

/** Makes the parts of a change. */
type TableWrites = {
  put: (item: Key & Item, guard?: Guard) => Write
  update: (key: Key, changes: Changes & Guard) => Write
  remove: (key: Key, guard?: Guard) => Write
  /** A condition alone. */
  check: (key: Key, guard: Guard) => Write
}

/** The writes of a table that holds its stores to nothing. */
export const TABLE_WRITES: TableWrites = {
  put: (item, guard) => allowed({ put: item, ...guard }),
  update: (key, changes) => allowed({ update: key, ...changes }),
  remove: (key, guard) => allowed({ remove: key, ...guard }),
  check: (key, guard) => allowed({ check: key, ...guard }),
}

/** Opens the table by its name, over the function's one client. */
export const openTable = (tableName: string, client: DynamoClient = dynamo): Table => ({
  ...TABLE_WRITES,
  ...openReads(tableName, client),
  ...openDirectWrites(tableName, client),
  commit: committer(client, tableName),
})

/**
 * What a store touches: partitions by the first word of their keys, such as `USER`, and of an index such as `gsi1:OWNER`.
 * A condition alone counts as a read.
 */
export type Places = { readonly reads?: readonly string[]; readonly writes?: readonly string[] }

/**
 * Returns a table that throws for a read outside `reads`, and for a write that is made outside `writes`. A commit carries
 * out the writes of other stores too: their own tables have allowed them.
 */
export function heldTo(table: Table, { reads = [], writes = [] }: Places): Table {
  const demand = (places: readonly string[], place: string, act: string): void => {
    if (!places.includes(place)) throw new Error(`This store declares no ${act} of ${place}`)
  }
  const reading = ({ pk }: Key) => demand(reads, wordOf(pk), 'read')
  const writing = (key: Key | Item) => demand(writes, wordOf(String(key['pk'])), 'write')
  const querying = ({ index, partition }: QueryOptions) =>
    demand(reads, `${index ? `${index}:` : ''}${wordOf(partition)}`, 'read')
  return {
    put: checked(table.put, writing),
    update: checked(table.update, writing),
    remove: checked(table.remove, writing),
    check: checked(table.check, reading),
    get: checked(table.get, reading),
    getMany: checked(table.getMany, (keys) => keys.forEach(reading)),
    query: checked(table.query, querying),
    queryAll: checked(table.queryAll, querying),
    count: checked(table.count, querying),
    increment: checked(table.increment, writing),
    writeEach: checked(table.writeEach, (writes) => {
      for (const write of writes) writing('put' in write ? write.put : write.remove)
    }),
    commit: table.commit,
  }
}

const checked =
  <Given extends unknown[], Answer>(act: (...given: Given) => Answer, check: (first: Given[0]) => void) =>
  (...given: Given): Answer => {
    check(given[0])
    return act(...given)
  }

/** Returns the first word of a partition's key, such as `USER` of `USER#usr_01`. */
const wordOf = (partition: string): string => partition.slice(0, `${partition}#`.indexOf('#'))

/** The partition of the outbox. Whatever writes may announce what it did, in the same transaction. */
const OUTBOX = 'EVENTS'

/**
 * Declares a store on the function's one table with what it touches: `heldTo` holds the store to that, and the function's
 * role allows no more. `variables` are further ones that it needs.
 */
export const onTable = <Store, const Name extends Variable = never>(
  open: (table: Table, config: Config<Name>) => Store,
  places: Places,
  variables: readonly Name[] = [],
): Dependency<Store> => ({
  ...dependency(['TABLE_NAME', ...variables], (config) =>
    open(heldTo(openTable(config.TABLE_NAME), places), config),
  ),
  uses: usesOf(places),
})

/** Returns what a function's role allows for these places. */
export function usesOf({ reads = [], writes = [] }: Places): Record<string, readonly string[]> {
  const written = writes.length > 0 ? [...writes, OUTBOX] : []
  const all = [...new Set([...reads, ...written])]
  return Object.fromEntries(
    all.map((place) => [
      place,
      [...(reads.includes(place) ? ['read'] : []), ...(written.includes(place) ? ['write'] : [])],
    ]),
  )
}
