import { job } from '#lib/http/job'
import { clock } from '#lib/http/runtime'
import { chance } from '#lib/webhooks/chance'
import { deliveryStore } from '#lib/webhooks/delivery-store.dynamo'
import { postWebhook } from '#lib/webhooks/post-webhook.https'
import { sendDueDeliveries } from '#lib/webhooks/send-due-deliveries'
import { webhookStore } from '#lib/webhooks/webhook-store.dynamo'

export const { spec, handler } = job({
  name: 'sendDueWebhooks',
  summary: 'Sends events again to the endpoints that did not accept them',
  deps: {
    webhooks: webhookStore.only('get', 'all', 'replace'),
    deliveries: deliveryStore.only('record', 'schedule', 'move', 'removeDue', 'due', 'commit'),
    post: postWebhook,
    now: clock,
    chance,
  },
  run: (_event, deps) => sendDueDeliveries(deps),
})
