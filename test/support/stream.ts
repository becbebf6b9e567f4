import { marshall } from '@aws-sdk/util-dynamodb'
import type { MessageDelivery } from '#lib/http/consumer'
import { serveJob } from '#lib/http/job'
import type { JobSpec } from '#lib/http/spec'
import type { Key } from '#lib/kernel/write'
import type { Listing } from '#lib/listings/listing'
import { storedMedia } from '#lib/listings/media-map.dynamo'
import { LAMBDA_CONTEXT } from './lambda-context.ts'
import { testTable } from './test-table.ts'

/** Messages as SQS hands them to a function. A message names its subject where its queue keeps an order. */
export const sqsEvent = (messages: readonly { body: string; subject?: string }[]) => ({
  Records: messages.map(({ body, subject }, index) => ({
    messageId: `message-${index}`,
    receiptHandle: `receipt-${index}`,
    body,
    attributes: {
      ApproximateReceiveCount: '1',
      SentTimestamp: '1800000000000',
      ...(subject !== undefined && { MessageGroupId: subject }),
    },
    messageAttributes: {},
    eventSource: 'aws:sqs',
  })),
})

/** Delivers messages to a consumer and returns what it did with each. Throws what it failed with, if it did. */
export async function deliveredTo(
  spec: JobSpec,
  bodies: readonly object[],
  deps: Record<string, unknown> = {},
): Promise<unknown[]> {
  const deliveries: MessageDelivery[] = []
  const report = (delivery: MessageDelivery) => void deliveries.push(delivery)
  const event = sqsEvent(bodies.map((body) => ({ body: JSON.stringify(body) })))
  const handler = serveJob(spec, { ...deps, report })
  await handler(event, LAMBDA_CONTEXT)
  return deliveries.map(({ outcome }) => {
    if ('error' in outcome) throw outcome.error
    return outcome.result
  })
}

/** A change of the table as the dispatcher sends it. */
export const changeOf = (before: object | undefined, after: object | undefined) => ({
  eventName: before === undefined ? 'INSERT' : 'MODIFY',
  dynamodb: { SequenceNumber: '1', OldImage: image(before), NewImage: image(after) },
})

const image = (item: object | undefined) => item && marshall(item, { removeUndefinedValues: true })

/** Delivers an item to a consumer as when it has been put or changed. Returns what the consumer did. */
export async function streamTo(
  spec: JobSpec,
  key: Key,
  deps: Record<string, unknown> = {},
): Promise<unknown> {
  const item = await testTable().get(key)
  if (!item) throw new Error(`There is no item ${key.pk} ${key.sk}`)
  const [result] = await deliveredTo(spec, [changeOf(undefined, item)], deps)
  return result
}

/** A change of a listing as the dispatcher sends it: its media are a map in the table. */
export const listingChangeOf = (before: Listing | undefined, after: Listing | undefined) =>
  changeOf(before && stored(before), after && stored(after))

const stored = (listing: Listing) => ({ ...listing, ...storedMedia(listing.media) })
