import { administrator } from '#lib/accounts/access'
import { recorded } from '#lib/dynamo/idempotency.dynamo'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { DeliveryId, WebhookId } from '#lib/kernel/id'
import { Redelivery } from '#lib/webhooks/delivery'
import { deliveries } from '#lib/webhooks/delivery-store.dynamo'
import { redeliver } from '#lib/webhooks/send-by-hand'
import { webhookReader } from '#lib/webhooks/webhook-store.dynamo'

export const { spec, handler } = endpoint({
  route: 'POST /admin/webhooks/{id}/deliveries/{deliveryId}/redeliver',
  summary: 'Send an event to an endpoint again',
  description:
    'One attempt is made at once, even if the endpoint is DISABLED. The answer is the new attempt.',
  access: administrator(['integrations']),
  input: { params: { id: WebhookId, deliveryId: DeliveryId } },
  output: { 202: Redelivery },
  idempotency: recorded,
  deps: { webhooks: webhookReader, deliveries, now: clock, newId: ids },
  run: ({ params }, deps) => redeliver(deps, params.id, params.deliveryId),
})
