import type { AttributeValue, TransactWriteItem } from '@aws-sdk/client-dynamodb'
import { marshall } from '@aws-sdk/util-dynamodb'
import type { Condition, Write } from '../kernel/write.ts'

/** An item as the table holds it; a store parses it before anyone else sees it. */
export type Item = Record<string, unknown>

/**
 * Returns a plain value as DynamoDB spells it. Attributes that are `undefined` are not stored. The SDK takes a map with a key
 * `constructor` for an instance of a class. Callers choose such keys, so it is treated as a map.
 */
export const marshalled = (item: Item): Record<string, AttributeValue> =>
  marshall(item, { removeUndefinedValues: true, convertClassInstanceToMap: true })

/** Returns a write as DynamoDB takes it, alone or in a transaction. */
export function writeItem(write: Write, TableName: string): TransactWriteItem {
  const writer = expressionWriter()
  const condition = write.when && { ConditionExpression: writer.condition(write.when) }
  if ('put' in write) {
    return { Put: { TableName, Item: marshalled(write.put), ...condition, ...writer.placeholders() } }
  }
  if ('update' in write) {
    const { update, set, remove, add } = write
    const UpdateExpression = writer.update({ set, remove, add })
    return {
      Update: {
        TableName,
        Key: marshalled(update),
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
  const Key = marshalled(write.check)
  return { ConditionCheck: { TableName, Key, ConditionExpression, ...writer.placeholders() } }
}

/** The names and values of an expression by their placeholders. An empty map is left out: DynamoDB refuses it. */
type Placeholders = {
  ExpressionAttributeNames?: Record<string, string>
  ExpressionAttributeValues?: Record<string, AttributeValue>
}

/** The changes of an update: attributes to set and to remove, and numbers to add to. */
type Changes = {
  set: Record<string, unknown>
  remove?: readonly string[] | undefined
  add?: Readonly<Record<string, number>> | undefined
}

/**
 * Writes the expressions of one request. Every name and value becomes a numbered placeholder, since a name may be a
 * reserved word.
 */
export function expressionWriter() {
  const names = new Map<string, string>()
  const values: Record<string, unknown> = {}
  const namePlaceholder = (path: string): string =>
    path
      .split('.')
      .map((name) => {
        const placeholder = names.get(name) ?? `#n${names.size}`
        names.set(name, placeholder)
        return placeholder
      })
      .join('.')
  const valuePlaceholder = (value: unknown): string => {
    const placeholder = `:v${Object.keys(values).length}`
    values[placeholder] = value
    return placeholder
  }
  const equalText = (path: string, value: unknown): string =>
    value === undefined
      ? `attribute_not_exists(${namePlaceholder(path)})`
      : `${namePlaceholder(path)} = ${valuePlaceholder(value)}`
  const belowText = (path: string, bound: number | string): string =>
    `${namePlaceholder(path)} < ${valuePlaceholder(bound)}`
  /** A missing count is 0, which is below every positive bound. */
  const countBelowText = (path: string, bound: number): string =>
    bound > 0
      ? `(attribute_not_exists(${namePlaceholder(path)}) OR ${belowText(path, bound)})`
      : belowText(path, bound)
  return {
    condition: (when: Condition): string => {
      if (when === 'absent') return 'attribute_not_exists(pk)'
      if (when === 'present') return 'attribute_exists(pk)'
      if ('absentOrBelow' in when) {
        const { attribute, value } = when.absentOrBelow
        return `attribute_not_exists(pk) OR ${belowText(attribute, value)}`
      }
      if ('countsBelow' in when) {
        return Object.entries(when.countsBelow)
          .map(([path, bound]) => countBelowText(path, bound))
          .join(' AND ')
      }
      if ('equals' in when) {
        const equal = Object.entries(when.equals).map(([path, value]) => equalText(path, value))
        const below = Object.entries(when.below ?? {}).map(([path, bound]) => belowText(path, bound))
        const sizes = Object.entries(when.sizesBelow ?? {}).map(
          ([path, bound]) => `size(${namePlaceholder(path)}) < ${valuePlaceholder(bound)}`,
        )
        return ['attribute_exists(pk)', ...equal, ...below, ...sizes].join(' AND ')
      }
      return `attribute_exists(pk) AND ${belowText(when.below.attribute, when.below.value)}`
    },
    /** Writes the condition that an attribute is missing or has another value. */
    differs: (path: string, value: unknown): string =>
      `attribute_not_exists(${namePlaceholder(path)}) OR ${namePlaceholder(path)} <> ${valuePlaceholder(value)}`,
    update: ({ set, remove = [], add = {} }: Changes): string => {
      const additions = Object.entries(add).map(
        ([path, by]) => `${namePlaceholder(path)} ${valuePlaceholder(by)}`,
      )
      const assignments = Object.entries(set).map(
        ([path, value]) => `${namePlaceholder(path)} = ${valuePlaceholder(value)}`,
      )
      return [
        assignments.length > 0 ? `SET ${assignments.join(', ')}` : '',
        additions.length > 0 ? `ADD ${additions.join(', ')}` : '',
        remove.length > 0 ? `REMOVE ${remove.map(namePlaceholder).join(', ')}` : '',
      ]
        .join(' ')
        .trim()
    },
    placeholders: (): Placeholders => ({
      ...(names.size > 0 && {
        ExpressionAttributeNames: Object.fromEntries(
          [...names].map(([name, placeholder]) => [placeholder, name]),
        ),
      }),
      ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: marshalled(values) }),
    }),
  }
}
