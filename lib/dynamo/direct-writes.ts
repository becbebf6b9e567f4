import { randomUUID } from 'node:crypto'
import {
  ConditionalCheckFailedException,
  type UpdateItemCommandInput,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb'
import { unmarshall } from '@aws-sdk/util-dynamodb'
import type { Key } from '../kernel/write.ts'
import { type DynamoClient, inBatches } from './client.ts'
import { expressionWriter, type Item, marshalled } from './item.ts'

/** The most writes of one `BatchWriteItem`. */
const BATCH_MAX = 25

/** The number of marks that an item keeps: each further increment overwrites one of them at random. */
const MARKS = 16

/** Opens the writes of one table that are part of no commit; see `Table`. */
export const openDirectWrites = (tableName: string, client: DynamoClient) => ({
  /**
   * Leaves a mark in the item. When the increment is sent again after a lost answer, the mark shows that it was made. It
   * counts twice only if a later increment has overwritten the mark: a chance of one in sixteen for each.
   */
  increment: async (key: Key, add: Record<string, number>, set: Item): Promise<Item> => {
    const writer = expressionWriter()
    const [name, mark] = [`mark${Math.floor(Math.random() * MARKS)}`, randomUUID()]
    const input: UpdateItemCommandInput = {
      TableName: tableName,
      Key: marshalled(key),
      UpdateExpression: writer.update({ set: { ...set, [name]: mark }, add }),
      ConditionExpression: writer.differs(name, mark),
      ReturnValues: 'ALL_NEW',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      ...writer.placeholders(),
    }
    try {
      return unmarshall((await client.send('UpdateItem', input)).Attributes ?? {})
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException && error.Item) return unmarshall(error.Item)
      throw error
    }
  },
  writeEach: async (writes: readonly ({ put: Item } | { remove: Key })[]): Promise<void> => {
    const requests = writes.map(
      (write): WriteRequest =>
        'put' in write
          ? { PutRequest: { Item: marshalled(write.put) } }
          : { DeleteRequest: { Key: marshalled(write.remove) } },
    )
    await inBatches(requests, BATCH_MAX, async (batch) => {
      const { UnprocessedItems } = await client.send('BatchWriteItem', {
        RequestItems: { [tableName]: batch },
      })
      return UnprocessedItems?.[tableName] ?? []
    })
  },
})
