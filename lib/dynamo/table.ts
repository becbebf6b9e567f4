import {
  type Config,
  type Dependency,
  dependency,
  type Uses,
  type UsesTestedElsewhere,
} from '#lib/config/config'
import type { Variable } from '#lib/config/variables'
import type { Commit, Key } from '../kernel/write.ts'
import { type DynamoClient, dynamo } from './client.ts'
import { openDirectWrites } from './direct-writes.ts'
import type { Item } from './item.ts'
import type { IndexPartition, Partition } from './partitions.ts'
import { openReads, type QueryOptions, type QueryPage } from './reads.ts'
import { committer } from './transact.ts'

/** The requests of the stores to DynamoDB. This folder does not know the meaning of an item. */
export type Table = {
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

/** Opens the table by its name, over the function's one client. */
export const openTable = (tableName: string, client: DynamoClient = dynamo): Table => ({
  ...openReads(tableName, client),
  ...openDirectWrites(tableName, client),
  commit: committer(client, tableName),
})

/**
 * An action of a store in a partition: `get` by keys, `query`, a write of a commit (`check` is a condition alone), or
 * `batch` for `writeEach`.
 */
export type TableAction = 'get' | 'query' | 'put' | 'update' | 'remove' | 'check' | 'batch'

/** A store's actions by partition. An index is only queried. */
export type TableUses = Readonly<
  Partial<Record<Partition, readonly TableAction[]> & Record<IndexPartition, readonly ['query']>>
>

type Options<Name extends Variable> = { reads?: readonly Name[]; usesTestedElsewhere?: UsesTestedElsewhere }

/**
 * Declares an adapter on the function's one table, with everything that it does there: a function's role allows what its
 * adapters declare. `reads` are further variables that it needs. `usesTestedElsewhere` is as in `Dependency`.
 */
export const onTable = <Store, const Name extends Variable = never>(
  open: (table: Table, config: Config<Name>) => Store,
  uses: TableUses,
  { reads = [], usesTestedElsewhere }: Options<Name> = {},
): Dependency<Store> => ({
  ...dependency(['TABLE_NAME', ...reads], (config) => open(openTable(config.TABLE_NAME), config)),
  uses,
  ...(usesTestedElsewhere && { usesTestedElsewhere }),
})

/** A store of which a function may name the methods that it needs, so that its role allows what these do and no more. */
export type StoreDependency<Store> = Dependency<Store> & {
  readonly only: <const Method extends keyof Store>(
    ...methods: readonly Method[]
  ) => Dependency<Pick<Store, Method>>
}

/**
 * Declares a store on the function's one table, with everything that each of its methods does there. A write belongs to the
 * method that makes it, not to the commit that carries it out.
 */
export function storeOnTable<Store extends object>(
  open: (table: Table) => Store,
  usesOf: Readonly<Record<keyof Store, TableUses>>,
  options: { usesTestedElsewhere?: UsesTestedElsewhere } = {},
): StoreDependency<Store> {
  const only = <Method extends keyof Store>(...methods: readonly Method[]): Dependency<Pick<Store, Method>> =>
    onTable(open, unionOf(methods.map((method) => usesOf[method])), options)
  return { ...onTable(open, unionOf(Object.values(usesOf)), options), only }
}

/** Returns every partition of the uses, with all its actions, each once. */
function unionOf(uses: readonly TableUses[]): Uses {
  const all: Record<string, readonly string[]> = {}
  for (const [partition, actions] of uses.flatMap((each: Uses) => Object.entries(each))) {
    all[partition] = [...new Set([...(all[partition] ?? []), ...actions])]
  }
  return all
}
