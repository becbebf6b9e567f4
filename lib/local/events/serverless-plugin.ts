import * as z from 'zod'
import type { ChangeRoutes } from '#lib/events/change-routes'
import { Changes, eventSources, MailEvents, Objects, ResolvedFunctions } from './event-sources.ts'
import { queueAddress } from './sqs.ts'

// The members of osls that this plugin uses; osls does not type them.
type Serverless = {
  configSchemaHandler: { defineFunctionEvent: (provider: 'aws', name: string, schema: object) => void }
  service: { functions: unknown }
}

/**
 * The osls plugin that teaches it the events `changes`, `objects` and `mailEvents`, which queues carry to their functions. Before
 * the local stack starts it says which queues there are; lib/package/queued-events.ts makes those that are deployed.
 */
export function queuedEvents({ configSchemaHandler, service }: Serverless) {
  for (const [name, schema] of Object.entries({
    changes: Changes,
    objects: Objects,
    mailEvents: MailEvents,
  })) {
    const { $schema: _, ...definition } = z.toJSONSchema(schema, { io: 'input' })
    configSchemaHandler.defineFunctionEvent('aws', name, definition)
  }
  return {
    hooks: {
      'before:offline:start:init': () => {
        const endpoint = process.env['AWS_ENDPOINT_URL_SQS'] ?? ''
        const routes = localRoutes(ResolvedFunctions.parse(service.functions), endpoint)
        process.env['CHANGE_ROUTES'] = JSON.stringify(routes)
      },
    },
  }
}

// osls requires a plugin and takes what the file exports as its only thing.
export { queuedEvents as 'module.exports' }

const localRoutes = (functions: ResolvedFunctions, endpoint: string): ChangeRoutes =>
  Object.fromEntries(
    eventSources(functions).followers.map(({ job, source: { inserted, modified, removed } }) => [
      job.name,
      { queue: queueAddress(endpoint, job.name), inserted, modified, removed },
    ]),
  )
