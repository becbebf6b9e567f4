import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge'
import { type Config, type Dependency, dependency } from '#lib/config/config'
import type { EventBus } from './event-bus.ts'

const open = ({ STAGE }: Config<'STAGE'>): EventBus => {
  const client = new EventBridgeClient({})
  return {
    publish: async (event) => {
      const entry = {
        Source: `platform-api.${STAGE}`,
        DetailType: event.type,
        Time: new Date(event.at),
        Resources: [event.subject],
        Detail: JSON.stringify(event),
      }
      const { Entries = [] } = await client.send(new PutEventsCommand({ Entries: [entry] }))
      const refused = Entries[0]?.ErrorCode
      if (refused) throw new Error(`EventBridge did not accept ${event.id}: ${refused}`)
    },
  }
}

/**
 * The account's default event bus. An event's `detail-type` is its type, its `detail` the whole event, its
 * source `platform-api.<stage>`. A repeated delivery has the same `detail.id`.
 */
export const eventBus: Dependency<EventBus> = {
  ...dependency(['STAGE'], open),
  uses: { eventBus: ['send'] },
}
