import type * as z from 'zod'
import { type Clock, secondsAfter, timestamp } from '#lib/kernel/clock'
import type { Cursors } from '#lib/kernel/cursor'
import { DeliveryId, WebhookId } from '#lib/kernel/id'
import { answerPage, type PageQuery } from '#lib/kernel/page'
import { DELIVERY_KEPT_SECONDS } from './delivery.ts'
import { getWebhook } from './manage-webhooks.ts'
import type { DeliveryReader, WebhookReader } from './webhook-store.ts'

type Query = z.output<typeof PageQuery>

/** Lists all webhooks, oldest first. */
export const listWebhooks = (
  { webhooks, cursors }: { webhooks: WebhookReader; cursors: Cursors },
  { limit, cursor }: Query,
) =>
  answerPage(cursors, { list: 'webhooks', filters: {}, position: WebhookId }, cursor, async (after) => {
    const left = (await webhooks.all()).filter(({ id }) => after === undefined || id > after)
    const items = left.slice(0, limit)
    return { items, next: left.length > limit ? items.at(-1)?.id : undefined }
  })

/** Lists a webhook's deliveries of the last 30 days, newest first. Throws `not_found`. */
export async function listDeliveries(
  deps: { webhooks: WebhookReader; deliveries: DeliveryReader; cursors: Cursors; now: Clock },
  id: WebhookId,
  { limit, cursor }: Query,
) {
  await getWebhook(deps, id)
  const list = { list: 'deliveries', filters: { id }, position: DeliveryId }
  const oldest = timestamp(secondsAfter(deps.now(), -DELIVERY_KEPT_SECONDS))
  return answerPage(deps.cursors, list, cursor, async (after) => {
    const page = await deps.deliveries.list(id, { limit, after })
    const items = page.items.filter(({ at }) => at > oldest)
    // The table removes older ones later: from the first of them on, all are older.
    return { items, next: items.length < page.items.length ? undefined : page.next }
  })
}
