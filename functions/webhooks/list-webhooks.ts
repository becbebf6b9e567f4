import { administrator } from '#lib/accounts/access'
import { cursors } from '#lib/dynamo/cursor'
import { endpoint } from '#lib/http/endpoint'
import { PageQuery, pageOf } from '#lib/kernel/page'
import { listWebhooks } from '#lib/webhooks/list-webhooks'
import { WebhookView } from '#lib/webhooks/webhook'
import { webhookReader } from '#lib/webhooks/webhook-store.dynamo'

export const { spec, handler } = endpoint({
  route: 'GET /admin/webhooks',
  summary: 'Endpoints that are sent events',
  description: 'The oldest first.',
  access: administrator(['integrations']),
  input: { query: PageQuery },
  output: { 200: pageOf(WebhookView) },
  problems: ['invalid_cursor'],
  deps: { webhooks: webhookReader, cursors },
  run: ({ query }, deps) => listWebhooks(deps, query),
})
