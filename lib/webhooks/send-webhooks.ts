import { DomainEvent } from '#lib/events/event'
import type { AttemptDeps } from './attempt-delivery.ts'
import { DueDelivery } from './delivery.ts'
import { scheduleDeliveries } from './schedule-deliveries.ts'
import { sendWhenDue } from './send-due-deliveries.ts'

/**
 * Handles an item that was put into the table: schedules the first attempts of an event, or makes a scheduled attempt once
 * it is due.
 */
export const sendWebhooks = (
  deps: AttemptDeps & Parameters<typeof scheduleDeliveries>[0],
  item: Readonly<Record<string, unknown>>,
): Promise<void> =>
  item['kind'] === 'event'
    ? scheduleDeliveries(deps, DomainEvent.parse(item))
    : sendWhenDue(deps, DueDelivery.parse(item))
