import { consumer } from '#lib/http/consumer'
import { attemptDelivery } from '#lib/webhooks/attempt-delivery'
import { attemptDeps, readQueuedDelivery } from '#lib/webhooks/attempt-deps.dynamo'

export const { spec, handler } = consumer({
  name: 'retryDeliveries',
  summary: 'Sends a message to an endpoint that did not accept the last one',
  deps: attemptDeps,
  read: readQueuedDelivery,
  run: (queued, deps) => attemptDelivery(deps, queued),
})
