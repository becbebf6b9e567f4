import { administrator } from '#lib/accounts/access'
import { recorded } from '#lib/dynamo/idempotency.dynamo'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { WebhookId } from '#lib/kernel/id'
import { deliveries } from '#lib/webhooks/delivery-store.dynamo'
import { sendPing } from '#lib/webhooks/send-by-hand'
import { webhookReader } from '#lib/webhooks/webhook-store.dynamo'

export const { spec, handler } = endpoint({
  route: 'POST /admin/webhooks/{id}/test',
  summary: 'Send an endpoint a ping',
  description:
    'The `ping` has an id of its own. `GET /admin/webhooks/{id}/deliveries` lists it with the endpoint’s answer.',
  access: administrator(['integrations']),
  input: { params: { id: WebhookId } },
  output: { 202: null },
  idempotency: recorded,
  deps: { webhooks: webhookReader, deliveries, now: clock, newId: ids },
  run: ({ params }, deps) => sendPing(deps, params.id),
})
