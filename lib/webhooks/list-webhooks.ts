import type * as z from 'zod'
import type { Cursors } from '#lib/kernel/cursor'
import { DeliveryId, WebhookId } from '#lib/kernel/id'
import type { PageQuery } from '#lib/kernel/page'
import { getWebhook } from './manage-webhooks.ts'
import type { DeliveryStore, WebhookStore } from './webhook-store.ts'

type Query = z.output<typeof PageQuery>

const WEBHOOKS = 'webhooks'
const DELIVERIES = 'deliveries'

/** Lists all webhooks, oldest first. */
export async function listWebhooks(
  { webhooks, cursors }: { webhooks: Pick<WebhookStore, 'all'>; cursors: Cursors },
  { limit, cursor }: Query,
) {
  const after = cursors.open(WEBHOOKS, {}, cursor, WebhookId)
  const left = (await webhooks.all()).filter(({ id }) => after === undefined || id > after)
  const items = left.slice(0, limit)
  const last = items.at(-1)
  return { items, nextCursor: last && left.length > limit ? cursors.seal(WEBHOOKS, {}, last.id) : null }
}

/** Lists a webhook's attempts, newest first. Throws `not_found`. */
export async function listDeliveries(
  deps: { webhooks: Pick<WebhookStore, 'get'>; deliveries: Pick<DeliveryStore, 'list'>; cursors: Cursors },
  id: WebhookId,
  { limit, cursor }: Query,
) {
  await getWebhook(deps, id)
  const after = deps.cursors.open(DELIVERIES, { id }, cursor, DeliveryId)
  const { items, next } = await deps.deliveries.list(id, { limit, after })
  return { items, nextCursor: next === undefined ? null : deps.cursors.seal(DELIVERIES, { id }, next) }
}
