import type { NotificationId } from '#lib/kernel/id'
import type { Statement } from '#lib/payments/fact'
import { mismatchOf } from '#lib/payments/merge'
import type { Payment } from '#lib/payments/payment'
import type { SettleDeps } from './apply-notification.ts'
import { notificationOf } from './notification.ts'

/**
 * Stores a statement of a reading that cannot be true of its payment as a MISMATCHED notification, once. Answers the
 * notification's id where it is a charge that somebody has to decide on; null once somebody has.
 */
export async function reportMismatch(
  deps: Pick<SettleDeps, 'inbox' | 'now' | 'newId'>,
  payment: Payment,
  statement: Statement,
): Promise<NotificationId | null> {
  const { at: _, ...said } = statement
  const event = {
    eventId: `read:${payment.id}:${JSON.stringify(said)}`.slice(0, 255),
    type: `read.${statement.kind}`,
    references: [payment.id],
    statement,
  }
  const callback = {
    name: payment.provider,
    provider: { readsHeaders: [] },
    request: { rawBody: Buffer.from(JSON.stringify(event)), headers: {} },
  }
  const notification = notificationOf(callback, event, deps)
  const ended = {
    status: 'MISMATCHED' as const,
    paymentId: payment.id,
    detail: mismatchOf(payment, statement),
    processedAt: notification.receivedAt,
  }
  const isNew = await deps.inbox.insert({ ...notification, ...ended })
  if (statement.kind !== 'succeeded') return null
  // The function that stored it may have died before the payment knew of it.
  const stored = isNew ? ended : await deps.inbox.get(notification.id)
  return stored?.status === 'MISMATCHED' ? notification.id : null
}
