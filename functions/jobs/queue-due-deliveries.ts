import { job } from '#lib/http/job'
import { clock } from '#lib/http/runtime'
import { deliveries } from '#lib/webhooks/delivery-store.dynamo'
import { queueDueDeliveries } from '#lib/webhooks/queue-due-deliveries'
import { webhookReader } from '#lib/webhooks/webhook-store.dynamo'

export const { spec, handler } = job({
  name: 'queueDueDeliveries',
  summary: 'Queues the deliveries that wait for their time, or for an endpoint that fails',
  deps: { webhooks: webhookReader, deliveries, now: clock },
  run: (_event, deps) => queueDueDeliveries(deps),
})
