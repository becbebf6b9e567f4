import { DomainEvent } from '#lib/events/event'
import type { AttemptDeps } from './attempt-delivery.ts'
import { DueDelivery } from './delivery.ts'
import { orderDeliveries } from './order-deliveries.ts'
import { sendWhenDue } from './send-due-deliveries.ts'

/** An item that was put into the table: an event is ordered for its endpoints, an ordered attempt is made once due. */
export const sendWebhooks = (deps: AttemptDeps, item: Readonly<Record<string, unknown>>): Promise<void> =>
  item['kind'] === 'event'
    ? orderDeliveries(deps, DomainEvent.parse(item))
    : sendWhenDue(deps, DueDelivery.parse(item))
