import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { marshall } from '@aws-sdk/util-dynamodb'

/** An item as the table holds it; a store parses it before anyone else sees it. */
export type Item = Record<string, unknown>

/**
 * A plain value as DynamoDB spells it. Attributes that are `undefined` are not stored. The SDK takes a map with a key
 * `constructor` for an instance of a class. Callers choose such keys, so it is treated as a map.
 */
export const marshalled = (item: Item): Record<string, AttributeValue> =>
  marshall(item, { removeUndefinedValues: true, convertClassInstanceToMap: true })
