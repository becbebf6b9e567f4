import { administrator } from '#lib/accounts/access'
import { recordedSealed } from '#lib/dynamo/idempotency.dynamo'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { journal } from '#lib/journal/journal.dynamo'
import { WebhookId } from '#lib/kernel/id'
import { rotateSecret } from '#lib/webhooks/manage-webhooks'
import { WebhookWithSecret } from '#lib/webhooks/webhook'
import { webhooks } from '#lib/webhooks/webhook-store.dynamo'

export const { spec, handler } = endpoint({
  route: 'POST /admin/webhooks/{id}/rotate',
  summary: 'Make a new secret for a webhook',
  description:
    'For 24 hours messages are signed with the new and with the previous secret. A further rotation within that time ends ' +
    'the oldest secret at once.',
  access: administrator(['integrations'], { signIn: 'fresh' }),
  input: { params: { id: WebhookId } },
  output: { 200: WebhookWithSecret },
  isSecret: true,
  idempotency: recordedSealed,
  deps: { webhooks, journal, now: clock, newId: ids },
  run: ({ actor, params }, deps) => rotateSecret(deps, actor.subject, params.id),
})
