import type * as z from 'zod'
import type { Cursors } from '#lib/kernel/cursor'
import { DeliveryId, WebhookId } from '#lib/kernel/id'
import { answerPage, type PageQuery } from '#lib/kernel/page'
import { getWebhook } from './manage-webhooks.ts'
import type { DeliveryStore, WebhookStore } from './webhook-store.ts'

type Query = z.output<typeof PageQuery>

/** Lists all webhooks, oldest first. */
export const listWebhooks = (
  { webhooks, cursors }: { webhooks: Pick<WebhookStore, 'all'>; cursors: Cursors },
  { limit, cursor }: Query,
) =>
  answerPage(cursors, { list: 'webhooks', filters: {}, position: WebhookId }, cursor, async (after) => {
    const left = (await webhooks.all()).filter(({ id }) => after === undefined || id > after)
    const items = left.slice(0, limit)
    return { items, next: left.length > limit ? items.at(-1)?.id : undefined }
  })

/** Lists a webhook's deliveries, newest first. Throws `not_found`. */
export async function listDeliveries(
  deps: { webhooks: Pick<WebhookStore, 'get'>; deliveries: Pick<DeliveryStore, 'list'>; cursors: Cursors },
  id: WebhookId,
  { limit, cursor }: Query,
) {
  await getWebhook(deps, id)
  const list = { list: 'deliveries', filters: { id }, position: DeliveryId }
  return answerPage(deps.cursors, list, cursor, (after) => deps.deliveries.list(id, { limit, after }))
}
