import { randomUUID } from 'node:crypto'
import type { UpdateItemCommandInput } from '@aws-sdk/client-dynamodb'
import { unmarshall } from '@aws-sdk/util-dynamodb'
import type { Key } from '../kernel/write.ts'
import type { DynamoClient } from './client.ts'
import { isRefusedCondition } from './dynamo-error.ts'
import { expressionWriter } from './expression.ts'
import { type Item, marshalled } from './item.ts'

/** The number of marks that an item keeps: each further increment overwrites one of them at random. */
const MARKS = 16

/**
 * Adds to numbers of an item and returns the item afterwards. The increment leaves a mark in the item. When it is
 * sent again after a lost answer, the mark shows that it was made. It counts twice only if another increment has
 * overwritten the mark in between: a chance of one in sixteen for each.
 */
export const increment =
  (client: DynamoClient, tableName: string) =>
  async (key: Key, add: Record<string, number>, set: Item): Promise<Item> => {
    const writer = expressionWriter()
    const [name, mark] = [`mark${Math.floor(Math.random() * MARKS)}`, randomUUID()]
    const input: UpdateItemCommandInput = {
      TableName: tableName,
      Key: marshalled(key),
      UpdateExpression: writer.update({ ...set, [name]: mark }, [], add),
      ConditionExpression: writer.differs(name, mark),
      ReturnValues: 'ALL_NEW',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      ...writer.placeholders(),
    }
    try {
      return unmarshall((await client.send('UpdateItem', input)).Attributes ?? {})
    } catch (error) {
      if (isRefusedCondition(error) && error.Item) return unmarshall(error.Item)
      throw error
    }
  }
