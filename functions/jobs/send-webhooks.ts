import { withUsesTestedElsewhere } from '#lib/config'
import { readNewItem } from '#lib/dynamo/stream'
import { consumer } from '#lib/http/consumer'
import { clock } from '#lib/http/runtime'
import { chance } from '#lib/webhooks/chance'
import { deliveryStore } from '#lib/webhooks/delivery-store.dynamo'
import { postWebhook } from '#lib/webhooks/post-webhook.https'
import { sendWebhooks } from '#lib/webhooks/send-webhooks'
import { webhookStore } from '#lib/webhooks/webhook-store.dynamo'

export const { spec, handler } = consumer({
  name: 'sendWebhooks',
  summary: 'Plans the deliveries of an event to each endpoint, and makes those that are due at once',
  deps: {
    webhooks: webhookStore.only('get', 'all', 'replace'),
    deliveries: withUsesTestedElsewhere(
      deliveryStore.only('record', 'schedule', 'markScheduled', 'isScheduled', 'move', 'removeDue', 'commit'),
      'no test uses the permission of isScheduled, which is called only after a conflict with another run',
    ),
    post: postWebhook,
    now: clock,
    chance,
  },
  read: readNewItem,
  run: (item, deps) => sendWebhooks(deps, item),
})
