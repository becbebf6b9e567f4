import type { Clock } from '#lib/kernel/clock'
import type { NewId } from '#lib/kernel/id'
import type { Statement } from '#lib/payments/fact'
import { mismatchOf } from '#lib/payments/merge'
import type { Payment } from '#lib/payments/payment'
import { callbackOf } from './callback.ts'
import type { CallbackStore } from './callback-store.ts'

/** Stores a statement of a reading that mismatches its payment as a MISMATCHED callback, once. */
export async function reportMismatch(
  deps: { callbacks: Pick<CallbackStore, 'insert'>; now: Clock; newId: NewId },
  payment: Payment,
  statement: Statement,
): Promise<void> {
  const { at: _, ...timeless } = statement
  const event = {
    eventId: `read:${payment.id}:${JSON.stringify(timeless)}`.slice(0, 255),
    type: `read.${statement.kind}`,
    references: [payment.id],
    statement,
  }
  const received = {
    name: payment.provider,
    provider: { readsHeaders: [] },
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
