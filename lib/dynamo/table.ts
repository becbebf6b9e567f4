import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb'
import { unmarshall } from '@aws-sdk/util-dynamodb'
import { type Config, type Dependency, dependency, type Variable } from '#lib/config'
import type { Commit, Key } from '../kernel/write.ts'
import { openBatches } from './batch.ts'
import { dynamo } from './client.ts'
import { increment } from './increment.ts'
import { type Item, marshalled } from './item.ts'
import { openQueries, type QueryOptions, type QueryPage } from './query.ts'
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
   * Adds to numbers of an item, which need not exist, and returns the item afterwards. Each of simultaneous callers
   * receives its own result. Not safe to repeat, so never part of a change of state.
   */
  increment: (key: Key, add: Record<string, number>, set: Item) => Promise<Item>
  /** Stores each item, unconditionally and in no order, 25 a request; safe to repeat. */
  writeEach: (writes: readonly ({ put: Item } | { remove: Key })[]) => Promise<void>
  commit: Commit
}

/** The table by its name, over the function's one client. */
export const openTable = (tableName: string, client: () => DynamoDBClient = dynamo): Table => ({
  ...openBatches(tableName, client),
  ...openQueries(tableName, client),
  get: async (key) => {
    const { Item } = await client().send(
      new GetItemCommand({ TableName: tableName, Key: marshalled(key), ConsistentRead: true }),
    )
    return Item && unmarshall(Item)
  },
  increment: increment(client, tableName),
  commit: committer(client, tableName),
})

/** The actions that are allowed on a partition; see `partitions.yml`. */
export type TableAction = 'read' | 'put' | 'update' | 'remove' | 'check' | 'batch'

/**
 * Declares a store on the function's one table; `reads` are further variables that it needs. A partition that a store
 * names in `touches` is closed to functions without such a store: accounts, their secrets and their money.
 */
export const onTable = <Store, const Name extends Variable = never>(
  open: (table: Table, config: Config<Name>) => Store,
  touches: Readonly<Record<string, readonly TableAction[]>> = {},
  reads: readonly Name[] = [],
): Dependency<Store> => ({
  ...dependency(['TABLE_NAME', ...reads], (config) => open(openTable(config.TABLE_NAME), config)),
  touches,
})
