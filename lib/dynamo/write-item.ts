import { isDeepStrictEqual } from 'node:util'
import type { AttributeValue, TransactWriteItem } from '@aws-sdk/client-dynamodb'
import { unmarshall } from '@aws-sdk/util-dynamodb'
import type { Write } from '../kernel/write.ts'
import { expressionWriter } from './expression.ts'
import { marshalled } from './item.ts'

/** A write as DynamoDB takes it, alone or in a transaction. */
export function writeItem(write: Write, TableName: string): TransactWriteItem {
  const writer = expressionWriter()
  const condition = write.when && { ConditionExpression: writer.condition(write.when) }
  if ('put' in write) {
    return { Put: { TableName, Item: marshalled(write.put), ...condition, ...writer.placeholders() } }
  }
  if ('update' in write) {
    const UpdateExpression = writer.update(write.set, write.remove ?? [], write.add ?? {})
    return {
      Update: {
        TableName,
        Key: marshalled(write.update),
        UpdateExpression,
        ...condition,
        ...writer.placeholders(),
      },
    }
  }
  if ('remove' in write) {
    return { Delete: { TableName, Key: marshalled(write.remove), ...condition, ...writer.placeholders() } }
  }
  const ConditionExpression = condition?.ConditionExpression ?? writer.condition('present')
  return {
    ConditionCheck: {
      TableName,
      Key: marshalled(write.check),
      ConditionExpression,
      ...writer.placeholders(),
    },
  }
}

/**
 * Whether a write may go as a plain write, at half the cost of a transaction: repeating it is harmless, or the stored
 * item shows that it happened.
 */
export const isPlain = (write: Write): boolean => {
  if ('check' in write) return false
  if ('remove' in write) return write.when === undefined
  return 'put' in write || Object.keys(write.add ?? {}).length === 0
}

/** Whether the stored item equals the result of this write. */
export function isAsWritten(write: Write, stored: Record<string, AttributeValue> | undefined): boolean {
  if (!stored) return false
  const item: unknown = unmarshall(stored)
  if ('put' in write) return isDeepStrictEqual(item, unmarshall(marshalled(write.put)))
  if (!('update' in write)) return false
  const isSet = Object.entries(unmarshall(marshalled(write.set))).every(([path, value]) =>
    isDeepStrictEqual(valueAt(item, path), value),
  )
  return isSet && (write.remove ?? []).every((path) => valueAt(item, path) === undefined)
}

/** Returns the value at a path such as `agent.status`; undefined without one. */
export const valueAt = (item: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((inner, name) => (isMap(inner) ? inner[name] : undefined), item)

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
