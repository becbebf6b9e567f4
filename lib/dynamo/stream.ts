import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { unmarshall } from '@aws-sdk/util-dynamodb'
import type { DynamoDBStreamEvent } from 'aws-lambda'
import type { Item } from './item.ts'

/** An item as the table's stream tells of it; `recordId` is how a batch says where it stopped. */
export type StreamItem = { recordId: string; item: Item }

/** The items that a batch of the stream put or changed, as they are now; removals are left out. */
export const newImages = ({ Records }: DynamoDBStreamEvent): StreamItem[] =>
  Records.flatMap(({ dynamodb }) =>
    dynamodb?.NewImage && dynamodb.SequenceNumber
      ? [
          {
            recordId: dynamodb.SequenceNumber,
            item: unmarshall(dynamodb.NewImage as Record<string, AttributeValue>),
          },
        ]
      : [],
  )

/** An item before and after a change; one of the two is undefined when the change made or removed it. */
export type StreamChange = { recordId: string; before: Item | undefined; after: Item | undefined }

/** The changes that a batch of the stream tells of, in order. */
export const changes = ({ Records }: DynamoDBStreamEvent): StreamChange[] =>
  Records.flatMap(({ dynamodb }) =>
    dynamodb?.SequenceNumber
      ? [
          {
            recordId: dynamodb.SequenceNumber,
            before: image(dynamodb.OldImage),
            after: image(dynamodb.NewImage),
          },
        ]
      : [],
  )

const image = (values: object | undefined): Item | undefined =>
  values && unmarshall(values as Record<string, AttributeValue>)

/**
 * Follows a batch of the stream in its order. Answers where to go on: the first that could not be followed and
 * everything after it come again, so following must be safe to repeat.
 */
export async function followInOrder<T extends { recordId: string }>(
  batch: readonly T[],
  follow: (item: T) => Promise<unknown>,
) {
  for (const item of batch) {
    try {
      await follow(item)
    } catch (error) {
      // The first one's failure is the invocation's, so that it is logged; any other becomes the first.
      if (item === batch[0]) throw error
      return { batchItemFailures: [{ itemIdentifier: item.recordId }] }
    }
  }
  return { batchItemFailures: [] }
}
