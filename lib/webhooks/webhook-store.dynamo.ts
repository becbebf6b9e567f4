import { storeOnTable, type Table } from '#lib/dynamo/table'
import { DomainError } from '#lib/kernel/domain-error'
import { webhookCountKey, webhookKey, webhooksPartition } from './webhook.keys.ts'
import { WEBHOOKS_MAX, Webhook } from './webhook.ts'
import type { WebhookStore } from './webhook-store.ts'

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
    { put: itemOf(webhook), when: 'absent' },
    {
      update: webhookCountKey,
      set: { kind: 'webhook-count' },
      add: { webhooks: 1 },
      when: { absentOrBelow: { attribute: 'webhooks', value: WEBHOOKS_MAX } },
      otherwise: () =>
        new DomainError('webhook_limit_reached', { detail: `There may be ${WEBHOOKS_MAX} endpoints` }),
    },
  ],
  replace: ({ version }, next) => ({ put: itemOf(next), when: { equals: { version } } }),
  remove: ({ id, version }) => [
    { remove: webhookKey(id), when: { equals: { version } } },
    { update: webhookCountKey, set: { kind: 'webhook-count' }, add: { webhooks: -1 } },
  ],
  commit: table.commit,
})

const itemOf = (webhook: Webhook) => ({ ...webhookKey(webhook.id), kind: 'webhook', ...webhook })

/** The webhook store as a dependency, with what each method does in which partition. */
export const webhookStore = storeOnTable(openWebhooks, {
  get: { WEBHOOKS: ['get'] },
  all: { WEBHOOKS: ['query'] },
  insert: { WEBHOOKS: ['put', 'update'] },
  replace: { WEBHOOKS: ['put'] },
  remove: { WEBHOOKS: ['remove', 'update'] },
  commit: {},
})
