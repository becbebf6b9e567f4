import { administrator } from '#lib/accounts/access'
import { recorded } from '#lib/dynamo/idempotency.dynamo'
import { endpoint } from '#lib/http/endpoint'
import { ids } from '#lib/http/runtime'
import { journal } from '#lib/journal/journal.dynamo'
import { WebhookId } from '#lib/kernel/id'
import { deleteWebhook } from '#lib/webhooks/manage-webhooks'
import { webhooks } from '#lib/webhooks/webhook-store.dynamo'

export const { spec, handler } = endpoint({
  route: 'DELETE /admin/webhooks/{id}',
  summary: 'Remove a webhook',
  description: 'Its due deliveries are never sent.',
  access: administrator(['integrations'], { signIn: 'fresh' }),
  input: { params: { id: WebhookId } },
  output: { 204: null },
  idempotency: recorded,
  deps: { webhooks, journal, newId: ids },
  run: ({ actor, params }, deps) => deleteWebhook(deps, actor.subject, params.id),
})
