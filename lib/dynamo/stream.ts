import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { unmarshall } from '@aws-sdk/util-dynamodb'
import type { Item } from './item.ts'

/** An item before and after a change; one of the two is undefined when the change inserted or removed it. */
export type StreamChange = { before: Item | undefined; after: Item | undefined }

/** Reads a change of the table from the body of a message, as `dispatchChanges` sends it. */
export function readChange(body: string): StreamChange {
  const { dynamodb } = JSON.parse(body) as { dynamodb?: { OldImage?: object; NewImage?: object } }
  return { before: image(dynamodb?.OldImage), after: image(dynamodb?.NewImage) }
}

/** Reads the item that a change inserted or left behind. Throws when the change removed it. */
export function readNewItem(body: string): Item {
  const { after } = readChange(body)
  if (!after) throw new Error('The change removed its item')
  return after
}

const image = (values: object | undefined): Item | undefined =>
  values && unmarshall(values as Record<string, AttributeValue>)
