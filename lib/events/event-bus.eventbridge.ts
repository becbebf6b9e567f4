import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge'
import { dependency } from '#lib/config'
import type { EventBus } from './event-bus.ts'

/** EventBridge takes at most ten events a call. */
const BATCH_SIZE = 10

/**
 * The account's default event bus. An event's `detail-type` is its type, its `detail` the whole event, its
 * source `platform-api.<stage>`. A repeated delivery has the same `detail.id`.
 */
export const eventBus = dependency(['STAGE'], ({ STAGE }): EventBus => {
  const client = new EventBridgeClient({})
  return {
    publish: async (events) => {
      const failed: string[] = []
      for (let start = 0; start < events.length; start += BATCH_SIZE) {
        const batch = events.slice(start, start + BATCH_SIZE)
        const Entries = batch.map((event) => ({
          Source: `platform-api.${STAGE}`,
          DetailType: event.type,
          Time: new Date(event.at),
          Resources: [event.subject],
          Detail: JSON.stringify(event),
        }))
        const { Entries: results = [] } = await client.send(new PutEventsCommand({ Entries }))
        failed.push(...batch.filter((_event, index) => results[index]?.ErrorCode).map(({ id }) => id))
      }
      return failed
    },
  }
})
