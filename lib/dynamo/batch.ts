import type { WriteRequest } from '@aws-sdk/client-dynamodb'
import { unmarshall } from '@aws-sdk/util-dynamodb'
import type { Key } from '../kernel/write.ts'
import type { DynamoClient } from './client.ts'
import { type Item, marshalled } from './item.ts'
import { untilProcessed } from './pause.ts'

/** The bounds of one request to DynamoDB. */
const READS_MAX = 100
const WRITES_MAX = 25

/** Reads and writes of many items of one table. Items that DynamoDB leaves undone are asked for again after a pause. */
export const openBatches = (tableName: string, client: DynamoClient) => ({
  getMany: async (keys: readonly Key[]): Promise<Item[]> => {
    const unique = [...new Map(keys.map((key) => [`${key.pk} ${key.sk}`, marshalled(key)])).values()]
    const read = async (batch: typeof unique) => {
      const found: Item[] = []
      await untilProcessed(batch, async (wanted) => {
        const RequestItems = { [tableName]: { Keys: [...wanted], ConsistentRead: true } }
        const { Responses, UnprocessedKeys } = await client.send('BatchGetItem', { RequestItems })
        found.push(...(Responses?.[tableName] ?? []).map((item) => unmarshall(item)))
        return UnprocessedKeys?.[tableName]?.Keys ?? []
      })
      return found
    }
    return (await Promise.all(inBatches(unique, READS_MAX).map(read))).flat()
  },
  writeEach: async (writes: readonly ({ put: Item } | { remove: Key })[]): Promise<void> => {
    const requests = writes.map(
      (write): WriteRequest =>
        'put' in write
          ? { PutRequest: { Item: marshalled(write.put) } }
          : { DeleteRequest: { Key: marshalled(write.remove) } },
    )
    const write = (batch: WriteRequest[]) =>
      untilProcessed(batch, async (wanted) => {
        const RequestItems = { [tableName]: [...wanted] }
        const { UnprocessedItems } = await client.send('BatchWriteItem', { RequestItems })
        return UnprocessedItems?.[tableName] ?? []
      })
    await Promise.all(inBatches(requests, WRITES_MAX).map(write))
  },
})

const inBatches = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, batch) =>
    all.slice(batch * size, (batch + 1) * size),
  )
