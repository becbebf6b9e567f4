import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { unmarshall } from '@aws-sdk/util-dynamodb'
import type { DynamoDBStreamEvent } from 'aws-lambda'
import type { Item } from './table.ts'

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

/** What a stream function answers: the stream goes on from the first record named. */
export type BatchAnswer = { batchItemFailures: { itemIdentifier: string }[] }
