import * as z from 'zod'
import { Timestamp } from '#lib/kernel/clock'
import { CallbackId, PaymentId } from '#lib/kernel/id'
import { Currency } from '#lib/kernel/money'
import { type Callback, CallbackStatus } from './callback.ts'

/** A callback as administrators see it. */
export const CallbackView = z
  .object({
    id: CallbackId,
    provider: z.string().meta({ example: 'stripe' }),
    eventId: z.string().meta({ example: 'evt_1QK2Lm2eZvKYlo2C' }),
    type: z.string().meta({ example: 'payment_intent.succeeded' }),
    status: CallbackStatus,
    paymentId: PaymentId.nullable(),
    reference: z.string().nullable().meta({
      description: 'What the provider names the payment by',
      example: 'pi_3QK2Lm2eZvKYlo2C',
    }),
    amount: z.int().nullable().meta({
      description: 'As the provider stated it; null where it stated none',
      example: 150_000,
    }),
    currency: Currency.nullable(),
    detail: z.string().nullable(),
    receivedAt: Timestamp,
    processedAt: Timestamp.nullable(),
  })
  .meta({ id: 'Callback' })
export type CallbackView = z.infer<typeof CallbackView>

/** Shows a callback: the outcome, without the provider's body. */
export function callbackView(callback: Callback): CallbackView {
  const { id, provider, eventId, type, status, paymentId, detail, receivedAt, processedAt } = callback
  const { statement, references } = callback
  const money = statement && 'money' in statement ? statement.money : null
  return {
    id,
    provider,
    eventId,
    type,
    status,
    paymentId,
    reference: references[0] ?? null,
    amount: money?.amount ?? null,
    currency: money?.currency ?? null,
    detail,
    receivedAt,
    processedAt,
  }
}
