import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { marshall } from '@aws-sdk/util-dynamodb'

/** An item as the table holds it; a store parses it before anyone else sees it. */
export type Item = Record<string, unknown>

/**
 * A plain value as DynamoDB spells it. Attributes that are `undefined` are not stored. A map in which a caller named
 * something `constructor` is taken by the SDK for an instance of a class, and is a map all the same.
 */
export const marshalled = (item: Item): Record<string, AttributeValue> =>
  marshall(item, { removeUndefinedValues: true, convertClassInstanceToMap: true })
