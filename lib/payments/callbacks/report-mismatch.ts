import type { Clock } from '#lib/kernel/clock'
import type { NewId } from '#lib/kernel/id'
import { boundedId, type Statement } from '#lib/payments/state/fact'
import { mismatchOf } from '#lib/payments/state/merge'
import type { Payment } from '#lib/payments/state/payment'
import { callbackOf } from './callback.ts'
import type { CallbackStore } from './callback-store.ts'

/**
 * Stores a statement that was read from the provider and does not match its payment, as a MISMATCHED callback. The
 * event's id leaves out the time of the reading, so that later readings of the same statement store no second one.
 */
export async function reportMismatch(
  deps: { callbacks: CallbackStore; now: Clock; newId: NewId },
  payment: Payment,
  statement: Statement,
): Promise<void> {
  const { at: _, ...timeless } = statement
  const event = {
    eventId: boundedId(`read:${payment.id}:${JSON.stringify(timeless)}`),
    type: `read.${statement.kind}`,
    references: [payment.id],
    statement,
  }
  // No request arrived: the event itself stands for the body, and there is no header to store.
  const received = {
    name: payment.provider,
    provider: {},
    request: { rawBody: Buffer.from(JSON.stringify(event)), headers: {} },
  }
  const callback = callbackOf(received, event, deps)
  const ended = {
    status: 'MISMATCHED' as const,
    paymentId: payment.id,
    detail: mismatchOf(payment, statement),
    processedAt: callback.receivedAt,
  }
  await deps.callbacks.insert({ ...callback, ...ended })
}
