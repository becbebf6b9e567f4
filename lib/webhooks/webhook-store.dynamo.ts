import { onTable, type Table } from '#lib/dynamo/table'
import { DomainError } from '#lib/kernel/domain-error'
import { webhookCountKey, webhookKey, webhooksPartition } from './webhook.keys.ts'
import { WEBHOOKS_MAX, Webhook } from './webhook.ts'
import type { WebhookReader, WebhookStore } from './webhook-store.ts'

/** Opens the webhooks in the one table. */
export const openWebhooks = (table: Table): WebhookStore => ({
  get: async (id) => {
    const item = await table.get(webhookKey(id))
    return item && Webhook.parse(item)
  },
  all: async () => {
    const items = await table.queryAll({ partition: webhooksPartition, consistent: true })
    return items.map((item) => Webhook.parse(item))
  },
  insert: (webhook) => [
    table.put(itemOf(webhook), { when: 'absent' }),
    table.update(webhookCountKey, {
      set: { kind: 'webhook-count' },
      add: { webhooks: 1 },
      when: { absentOrBelow: { attribute: 'webhooks', value: WEBHOOKS_MAX } },
      otherwise: () =>
        new DomainError('webhook_limit_reached', { detail: `There may be ${WEBHOOKS_MAX} endpoints` }),
    }),
  ],
  replace: ({ version }, next) => table.put(itemOf(next), { when: { equals: { version } } }),
  remove: ({ id, version }) => [
    table.remove(webhookKey(id), { when: { equals: { version } } }),
    table.update(webhookCountKey, { set: { kind: 'webhook-count' }, add: { webhooks: -1 } }),
  ],
  commit: table.commit,
})

const itemOf = (webhook: Webhook) => ({ ...webhookKey(webhook.id), kind: 'webhook', ...webhook })

/** The webhook store as a dependency. */
export const webhooks = onTable(openWebhooks, { reads: ['WEBHOOKS'], writes: ['WEBHOOKS'] })

export const webhookReader = onTable((table): WebhookReader => openWebhooks(table), { reads: ['WEBHOOKS'] })
