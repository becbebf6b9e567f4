import { administrator } from '#lib/accounts/access'
import { recordedSealed } from '#lib/dynamo/idempotency.dynamo'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { journal } from '#lib/journal/journal.dynamo'
import { allowsLoopback } from '#lib/webhooks/allows-loopback'
import { registerWebhook } from '#lib/webhooks/manage-webhooks'
import { WebhookInput, WebhookWithSecret } from '#lib/webhooks/webhook'
import { webhooks } from '#lib/webhooks/webhook-store.dynamo'

export const { spec, handler } = endpoint({
  route: 'POST /admin/webhooks',
  summary: 'Register an endpoint that is sent events',
  description:
    'The answer holds the `secret` that signs the messages; it is not shown again. The URL is `https`, and its host has a ' +
    'public address.',
  access: administrator(['integrations'], { signIn: 'fresh' }),
  input: { body: WebhookInput },
  output: { 201: WebhookWithSecret },
  location: '/admin/webhooks/',
  problems: ['webhook_limit_reached'],
  isSecret: true,
  idempotency: recordedSealed,
  deps: { webhooks, journal, allowsLoopback, now: clock, newId: ids },
  run: ({ actor, body }, deps) => registerWebhook(deps, actor.subject, body),
})
