import { setTimeout as sleep } from 'node:timers/promises'
import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  QueryCommand,
  UpdateItemCommand,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb'
import { unmarshall } from '@aws-sdk/util-dynamodb'
import type { Commit, Key } from '../kernel/write.ts'
import { dynamo } from './client.ts'
import { expressionWriter, marshalled } from './expression.ts'
import { committer } from './transact.ts'

/** An item as the table holds it; a store parses it before anyone else sees it. */
export type Item = Record<string, unknown>

/** One `Query`: a partition, optionally a beginning of the sort key, of the table or its index. */
export type QueryOptions = {
  partition: string
  beginsWith?: string
  /** From one sort key to another, both included. */
  between?: readonly [string, string]
  index?: 'gsi1' | 'gsi2'
  /** Newest first. */
  descending?: boolean
  limit?: number
  /** The key of the item to go on after. */
  after?: Item
  consistent?: boolean
}

/** What the stores say to DynamoDB. Nothing here knows what an item means. */
export type Table = {
  /** Strongly consistent. */
  get: (key: Key) => Promise<Item | undefined>
  /** Strongly consistent, at most 100 keys, in no particular order; missing items are left out. */
  getMany: (keys: Key[]) => Promise<Item[]>
  /** One page; `last` is where the next one goes on, undefined at the end. */
  query: (options: QueryOptions) => Promise<{ items: Item[]; last: Item | undefined }>
  /**
   * Adds to numbers of an item, which need not be there yet, and answers the item as it then is: of many at
   * once, each sees its own turn. Not safe to repeat, so never part of a change of state.
   */
  increment: (key: Key, add: Record<string, number>, set: Item) => Promise<Item>
  /** Writes each by itself, unconditionally and in no order, 25 a request; safe to repeat when it breaks off. */
  writeEach: (writes: ({ put: Item } | { remove: Key })[]) => Promise<void>
  commit: Commit
}

const BATCH_MAX = 25
const BATCH_PAUSE_MILLISECONDS = 20

/** The table by its name, over the function's one client. */
export const openTable = (tableName: string, client: () => DynamoDBClient = dynamo): Table => ({
  get: async (key) => {
    const { Item } = await client().send(
      new GetItemCommand({ TableName: tableName, Key: marshalled(key), ConsistentRead: true }),
    )
    return Item && unmarshall(Item)
  },
  getMany: async (keys) => {
    const found: Item[] = []
    let wanted = keys.map((key) => marshalled(key))
    while (wanted.length > 0) {
      const { Responses, UnprocessedKeys } = await client().send(
        new BatchGetItemCommand({ RequestItems: { [tableName]: { Keys: wanted, ConsistentRead: true } } }),
      )
      found.push(...(Responses?.[tableName] ?? []).map((item) => unmarshall(item)))
      wanted = UnprocessedKeys?.[tableName]?.Keys ?? []
    }
    return found
  },
  query: async ({ partition, beginsWith, between, index, descending, limit, after, consistent }) => {
    const prefix = index ?? ''
    const { Items, LastEvaluatedKey } = await client().send(
      new QueryCommand({
        TableName: tableName,
        ...(index && { IndexName: index }),
        KeyConditionExpression: `#pk = :pk${sortKeyClause({ beginsWith, between })}`,
        ExpressionAttributeNames: {
          '#pk': `${prefix}pk`,
          ...((beginsWith ?? between) !== undefined && { '#sk': `${prefix}sk` }),
        },
        ExpressionAttributeValues: marshalled({
          ':pk': partition,
          ':sk': beginsWith,
          ':from': between?.[0],
          ':to': between?.[1],
        }),
        ScanIndexForward: !descending,
        ...(limit !== undefined && { Limit: limit }),
        ...(after && { ExclusiveStartKey: marshalled(after) }),
        ...(consistent && { ConsistentRead: true }),
      }),
    )
    return {
      items: (Items ?? []).map((item) => unmarshall(item)),
      last: LastEvaluatedKey && unmarshall(LastEvaluatedKey),
    }
  },
  increment: async (key, add, set) => {
    const writer = expressionWriter()
    const { Attributes } = await client().send(
      new UpdateItemCommand({
        TableName: tableName,
        Key: marshalled(key),
        UpdateExpression: writer.update(set, [], add),
        ReturnValues: 'ALL_NEW',
        ...writer.placeholders(),
      }),
    )
    return Attributes ? unmarshall(Attributes) : {}
  },
  writeEach: async (writes) => {
    const requests = writes.map(
      (write): WriteRequest =>
        'put' in write
          ? { PutRequest: { Item: marshalled(write.put) } }
          : { DeleteRequest: { Key: marshalled(write.remove) } },
    )
    const batches = Array.from({ length: Math.ceil(requests.length / BATCH_MAX) }, (_, batch) =>
      requests.slice(batch * BATCH_MAX, (batch + 1) * BATCH_MAX),
    )
    await Promise.all(batches.map((batch) => writeBatch(client(), tableName, batch)))
  },
  commit: committer(client, tableName),
})

const sortKeyClause = ({ beginsWith, between }: SortKeyPart): string => {
  if (between) return ' AND #sk BETWEEN :from AND :to'
  return beginsWith === undefined ? '' : ' AND begins_with(#sk, :sk)'
}

type SortKeyPart = { [Name in 'beginsWith' | 'between']: QueryOptions[Name] | undefined }

/** What DynamoDB leaves undone, because it has enough to do, is asked for again a little later. */
async function writeBatch(client: DynamoDBClient, tableName: string, batch: WriteRequest[]): Promise<void> {
  let wanted = batch
  for (let attempt = 1; wanted.length > 0; attempt += 1) {
    const { UnprocessedItems } = await client.send(
      new BatchWriteItemCommand({ RequestItems: { [tableName]: wanted } }),
    )
    wanted = UnprocessedItems?.[tableName] ?? []
    if (wanted.length > 0) await sleep(BATCH_PAUSE_MILLISECONDS * 2 ** attempt * Math.random())
  }
}
