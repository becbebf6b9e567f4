import { administrator } from '#lib/accounts/access'
import { endpoint } from '#lib/http/endpoint'
import { WebhookId } from '#lib/kernel/id'
import { getWebhook } from '#lib/webhooks/manage-webhooks'
import { WebhookView } from '#lib/webhooks/webhook'
import { webhookReader } from '#lib/webhooks/webhook-store.dynamo'

export const { spec, handler } = endpoint({
  route: 'GET /admin/webhooks/{id}',
  summary: 'An endpoint that is sent events',
  description:
    'Without its secret, which is shown when it is made or rotated. `status` is DISABLED by an administrator, or ' +
    'after every attempt failed for days: `disabledReason` says which. `failingSince` is the time of the first failed ' +
    'attempt since the last success.',
  access: administrator(['integrations']),
  input: { params: { id: WebhookId } },
  output: { 200: WebhookView },
  deps: { webhooks: webhookReader },
  run: ({ params }, deps) => getWebhook(deps, params.id),
})
