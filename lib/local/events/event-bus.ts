import { randomUUID } from 'node:crypto'
import { json } from 'node:stream/consumers'
import * as z from 'zod'
import type { LocalRoute } from '../gateway/gateway.ts'

export const EVENT_BUS_PATH = '/local/eventbridge'

const PutEvents = z.object({
  Entries: z.array(z.object({ DetailType: z.string(), Resources: z.array(z.string()).default([]) })),
})

/** Stands in for Amazon EventBridge, which has no listeners here: prints each event. */
export const eventBusRoute = (report: (line: string) => void): LocalRoute => ({
  method: 'POST',
  path: EVENT_BUS_PATH,
  handle: async (request, response) => {
    const { Entries } = PutEvents.parse(await json(request))
    for (const { DetailType, Resources } of Entries) report(`${DetailType} ${Resources.join(' ')}`)
    const accepted = Entries.map(() => ({ EventId: randomUUID() }))
    response.writeHead(200, { 'content-type': 'application/x-amz-json-1.1' })
    response.end(JSON.stringify({ FailedEntryCount: 0, Entries: accepted }))
  },
})
