import { administrator } from '#lib/accounts/access'
import { recorded } from '#lib/dynamo/idempotency.dynamo'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { journal } from '#lib/journal/journal.dynamo'
import { WebhookId } from '#lib/kernel/id'
import { allowsLoopback } from '#lib/webhooks/allows-loopback'
import { changeWebhook } from '#lib/webhooks/manage-webhooks'
import { WebhookPatch, WebhookView } from '#lib/webhooks/webhook'
import { webhooks } from '#lib/webhooks/webhook-store.dynamo'

export const { spec, handler } = endpoint({
  route: 'PATCH /admin/webhooks/{id}',
  summary: 'Change an endpoint, or switch it off or on',
  description:
    'An endpoint that becomes ACTIVE receives later events only. Deliveries that were due before have the error ' +
    '`webhook_disabled`; `redeliver` sends them.',
  access: administrator(['integrations'], { signIn: 'fresh' }),
  input: { params: { id: WebhookId }, body: WebhookPatch },
  output: { 200: WebhookView },
  idempotency: recorded,
  deps: { webhooks, journal, allowsLoopback, now: clock, newId: ids },
  run: ({ actor, params, body }, deps) => changeWebhook(deps, actor.subject, params.id, body),
})
