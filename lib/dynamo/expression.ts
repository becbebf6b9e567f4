import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type { Condition } from '../kernel/write.ts'
import { marshalled } from './item.ts'

/** The parts that DynamoDB's expressions are sent with; empty maps are left out, as it refuses them. */
export type Placeholders = {
  ExpressionAttributeNames?: Record<string, string>
  ExpressionAttributeValues?: Record<string, AttributeValue>
}

/** Writes expressions with numbered placeholders, so that no attribute name can be a reserved word. */
export function expressionWriter() {
  const names = new Map<string, string>()
  const values: Record<string, unknown> = {}
  const namePlaceholder = (path: string) =>
    path
      .split('.')
      .map((part) => {
        const placeholder = names.get(part) ?? `#n${names.size}`
        names.set(part, placeholder)
        return placeholder
      })
      .join('.')
  const valuePlaceholder = (value: unknown) => {
    const placeholder = `:v${Object.keys(values).length}`
    values[placeholder] = value
    return placeholder
  }
  return {
    condition: (when: Condition): string => {
      if (when === 'absent') return 'attribute_not_exists(pk)'
      if (when === 'present') return 'attribute_exists(pk)'
      if ('absentOrBelow' in when) {
        const { attribute, value } = when.absentOrBelow
        return `attribute_not_exists(pk) OR ${namePlaceholder(attribute)} < ${valuePlaceholder(value)}`
      }
      if ('countsBelow' in when) {
        return Object.entries(when.countsBelow)
          .map(([path, bound]) => {
            const [name, value] = [namePlaceholder(path), valuePlaceholder(bound)]
            return bound > 0 ? `(attribute_not_exists(${name}) OR ${name} < ${value})` : `${name} < ${value}`
          })
          .join(' AND ')
      }
      if (!('equals' in when)) {
        return `attribute_exists(pk) AND ${namePlaceholder(when.below.attribute)} < ${valuePlaceholder(when.below.value)}`
      }
      const clauses = Object.entries(when.equals).map(([path, value]) =>
        value === undefined
          ? `attribute_not_exists(${namePlaceholder(path)})`
          : `${namePlaceholder(path)} = ${valuePlaceholder(value)}`,
      )
      const bounds = Object.entries(when.below ?? {}).map(
        ([path, value]) => `${namePlaceholder(path)} < ${valuePlaceholder(value)}`,
      )
      return ['attribute_exists(pk)', ...clauses, ...bounds].join(' AND ')
    },
    /** Whether an attribute is missing or has another value. */
    differs: (path: string, value: unknown): string =>
      `attribute_not_exists(${namePlaceholder(path)}) OR ${namePlaceholder(path)} <> ${valuePlaceholder(value)}`,
    update: (set: Record<string, unknown>, remove: string[], add: Record<string, number>): string => {
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
          [...names].map(([part, placeholder]) => [placeholder, part]),
        ),
      }),
      ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: marshalled(values) }),
    }),
  }
}
