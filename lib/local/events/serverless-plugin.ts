import * as z from 'zod'
import type { ChangeRoutes } from '#lib/events/change-routes'
import { Changes, eventSources, MailEvents, Objects, ResolvedFunctions } from './event-sources.ts'
import { queueAddress } from './sqs.ts'

// The members of osls (a fork of the Serverless Framework) that this plugin uses; osls does not type them.
type Serverless = {
  configSchemaHandler: { defineFunctionEvent: (provider: 'aws', name: string, schema: object) => void }
  service: { functions: unknown }
}

/**
 * The osls plugin that adds the events `changes`, `objects` and `mailEvents`, which queues carry to their functions.
 * Before the local stack starts, it sets the addresses of the queues; lib/package/queued-events.ts makes the deployed
 * ones.
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

// osls loads a plugin with `require()`, which returns the export of an ES module that is named `module.exports`.
export { queuedEvents as 'module.exports' }

const localRoutes = (functions: ResolvedFunctions, endpoint: string): ChangeRoutes =>
  Object.fromEntries(
    eventSources(functions).followers.map(({ job, source: { inserted, modified, removed } }) => [
      job.name,
      { queue: queueAddress(endpoint, job.name), inserted, modified, removed },
    ]),
  )
