import { randomUUID } from 'node:crypto'
import { json } from 'node:stream/consumers'
import * as z from 'zod'
import type { LocalRoute } from './gateway.ts'

/** Where the local stack's event bus answers, below the gateway's address. */
export const EVENT_BUS_PATH = '/local/eventbridge'

const PutEvents = z.object({
  Entries: z.array(z.object({ Source: z.string(), DetailType: z.string(), Detail: z.string() })),
})

/** An event as it came over the bus. */
type Caught = { source: string; type: string; detail: unknown; caughtAt: string }

const KEPT = 500

/**
 * Plays Amazon EventBridge: takes what is put and keeps the latest, in memory, for whoever wants to see what
 * the service announced: `GET /local/events` answers `{items}`, newest first.
 */
export function eventBusRoutes(now: () => Date = () => new Date()): LocalRoute[] {
  const caught: Caught[] = []
  return [
    {
      method: 'POST',
      path: EVENT_BUS_PATH,
      handle: async (request, response) => {
        const { Entries } = PutEvents.parse(await json(request))
        const caughtAt = now().toISOString()
        for (const { Source, DetailType, Detail } of Entries) {
          caught.unshift({ source: Source, type: DetailType, detail: JSON.parse(Detail), caughtAt })
        }
        caught.splice(KEPT)
        response.writeHead(200, { 'content-type': 'application/x-amz-json-1.1' })
        response.end(
          JSON.stringify({ FailedEntryCount: 0, Entries: Entries.map(() => ({ EventId: randomUUID() })) }),
        )
      },
    },
    {
      method: 'GET',
      path: '/local/events',
      handle: (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ items: caught }))
      },
    },
  ]
}
