import { administrator } from '#lib/accounts/access'
import { cursors } from '#lib/dynamo/cursor'
import { endpoint } from '#lib/http/endpoint'
import { clock } from '#lib/http/runtime'
import { WebhookId } from '#lib/kernel/id'
import { PageQuery, pageOf } from '#lib/kernel/page'
import { DeliveryView } from '#lib/webhooks/delivery'
import { deliveryReader } from '#lib/webhooks/delivery-store.dynamo'
import { listDeliveries } from '#lib/webhooks/list-webhooks'
import { webhookReader } from '#lib/webhooks/webhook-store.dynamo'

export const { spec, handler } = endpoint({
  route: 'GET /admin/webhooks/{id}/deliveries',
  summary: 'Attempts to reach a webhook',
  description: 'Newest first, for 30 days.',
  access: administrator(['integrations']),
  input: { params: { id: WebhookId }, query: PageQuery },
  output: { 200: pageOf(DeliveryView) },
  problems: ['invalid_cursor'],
  deps: { webhooks: webhookReader, deliveries: deliveryReader, cursors, now: clock },
  run: ({ params, query }, deps) => listDeliveries(deps, params.id, query),
})
