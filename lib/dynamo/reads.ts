import type { AttributeValue, QueryCommandInput } from '@aws-sdk/client-dynamodb'
import { unmarshall } from '@aws-sdk/util-dynamodb'
import type { Key } from '../kernel/write.ts'
import { type DynamoClient, inBatches } from './client.ts'
import { type Item, marshalled } from './item.ts'

/** A partition of the table or of an index, in the order of its sort key; optionally a part of it. */
export type QueryOptions = {
  partition: string
  /** Of an index, neither `beginsWith` nor `between` can be combined with `after`. */
  beginsWith?: string
  /** From one sort key to another, both included. */
  between?: readonly [string, string]
  index?: 'gsi1' | 'gsi2'
  /** Newest first. */
  descending?: boolean
  limit?: number
  /** The last sort key seen. In an index it is the index's own, which must be unique in its partition. */
  after?: string | undefined
  consistent?: boolean
}

/** One page of a query; `last` is the sort key to go on after, undefined at the end. */
export type QueryPage = { items: Item[]; last: string | undefined }

/** The most keys of one `BatchGetItem`. */
const BATCH_MAX = 100

/** Opens the reads of one table; see `Table`. */
export const openReads = (tableName: string, client: DynamoClient) => ({
  get: async (key: Key): Promise<Item | undefined> => {
    const input = { TableName: tableName, Key: marshalled(key), ConsistentRead: true }
    const { Item } = await client.send('GetItem', input)
    return Item && unmarshall(Item)
  },
  getMany: async (keys: readonly Key[]): Promise<Item[]> => {
    const unique = [...new Map(keys.map((key) => [`${key.pk} ${key.sk}`, marshalled(key)])).values()]
    const found: Item[] = []
    await inBatches(unique, BATCH_MAX, async (Keys) => {
      const RequestItems = { [tableName]: { Keys, ConsistentRead: true } }
      const { Responses, UnprocessedKeys } = await client.send('BatchGetItem', { RequestItems })
      found.push(...itemsOf(Responses?.[tableName]))
      return UnprocessedKeys?.[tableName]?.Keys ?? []
    })
    return found
  },
  query: async (options: QueryOptions): Promise<QueryPage> => {
    if (isPastRange(options)) return { items: [], last: undefined }
    const { Items, LastEvaluatedKey } = await client.send('Query', inputOf(tableName, options))
    return { items: itemsOf(Items), last: LastEvaluatedKey?.[`${options.index ?? ''}sk`]?.S }
  },
  queryAll: async ({ limit = Number.POSITIVE_INFINITY, ...options }: QueryOptions): Promise<Item[]> => {
    // `limit` ends the result, not a page: each request reads up to a megabyte.
    const items: Item[] = []
    for await (const { Items } of pages(client, inputOf(tableName, options))) {
      items.push(...itemsOf(Items))
      if (items.length >= limit) break
    }
    return items.slice(0, limit)
  },
  count: async ({ limit, ...options }: QueryOptions & { limit: number }): Promise<number> => {
    const input: QueryCommandInput = { ...inputOf(tableName, { ...options, limit }), Select: 'COUNT' }
    let count = 0
    for await (const { Count = 0 } of pages(client, input)) {
      count += Count
      if (count >= limit) break
    }
    return Math.min(count, limit)
  },
})

const itemsOf = (found: readonly Record<string, AttributeValue>[] = []): Item[] =>
  found.map((item) => unmarshall(item))

/** Asks for one page after the other. */
async function* pages(client: DynamoClient, input: QueryCommandInput) {
  let ExclusiveStartKey = input.ExclusiveStartKey
  do {
    const page = await client.send('Query', { ...input, ExclusiveStartKey })
    yield page
    ExclusiveStartKey = page.LastEvaluatedKey
  } while (ExclusiveStartKey)
}

function inputOf(tableName: string, options: QueryOptions): QueryCommandInput {
  const { partition, index, descending, limit, after, consistent } = options
  const sortKey = sortKeyClause(options)
  return {
    TableName: tableName,
    ...(index && { IndexName: index }),
    KeyConditionExpression: `#pk = :pk${sortKey.clause}`,
    ExpressionAttributeNames: {
      '#pk': `${index ?? ''}pk`,
      ...(sortKey.clause !== '' && { '#sk': `${index ?? ''}sk` }),
    },
    ExpressionAttributeValues: marshalled({ ':pk': partition, ...sortKey.values }),
    ScanIndexForward: !descending,
    ...(limit !== undefined && { Limit: limit }),
    ...(after !== undefined &&
      index === undefined && { ExclusiveStartKey: marshalled({ pk: partition, sk: after }) }),
    ...(consistent && { ConsistentRead: true }),
  }
}

/**
 * Whether the last sort key seen lies beyond the end of the range. A range may move between two pages, and DynamoDB refuses
 * to go on after a key outside it.
 */
const isPastRange = ({ between, after, descending }: QueryOptions): boolean =>
  between !== undefined && after !== undefined && (descending ? after < between[0] : after > between[1])

/** An index is continued by a condition: its start key would need the table's key of the last item as well. */
function sortKeyClause({ beginsWith, between, index, after, descending }: QueryOptions) {
  if (between) {
    return { clause: ' AND #sk BETWEEN :from AND :to', values: { ':from': between[0], ':to': between[1] } }
  }
  if (index !== undefined && after !== undefined) {
    return { clause: ` AND #sk ${descending ? '<' : '>'} :after`, values: { ':after': after } }
  }
  if (beginsWith === undefined) return { clause: '', values: {} }
  return { clause: ' AND begins_with(#sk, :sk)', values: { ':sk': beginsWith } }
}
