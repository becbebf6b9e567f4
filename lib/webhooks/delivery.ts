import * as z from 'zod'
import { DAY_SECONDS, Timestamp } from '#lib/kernel/clock'
import { DeliveryId, EventId, WebhookId } from '#lib/kernel/id'

/**
 * The backoffs before the second and later attempts: 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 h. The first one is also
 * the delay of the queue of `retryDeliveries` in serverless.yml.
 */
const BACKOFFS_SECONDS = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400] as const

/** A webhook is switched off after failing for this long without a success. */
export const FAILING_MAX_SECONDS = 5 * DAY_SECONDS

/** The time for which attempts are listed. */
export const DELIVERY_KEPT_SECONDS = 30 * DAY_SECONDS

/** The message: an event, or a `ping` with an id of its own. */
export const WebhookMessage = z.object({
  id: EventId,
  type: z.string(),
  subject: z.string().nullable(),
  at: Timestamp,
  data: z.record(z.string(), z.unknown()),
})
export type WebhookMessage = z.infer<typeof WebhookMessage>

/** An attempt that has not been made. */
export const DueDelivery = z.object({
  /** The attempt's own id. It stays the same if another function has to make the attempt. */
  id: DeliveryId,
  webhookId: WebhookId,
  message: WebhookMessage,
  /** 1 for the first. */
  attempt: z.int(),
  /** The time at which the first attempt was scheduled. */
  orderedAt: Timestamp,
  dueAt: Timestamp,
  /** Whether an administrator requested the attempt: it is also made to a DISABLED webhook, and is not repeated. */
  byHand: z.boolean(),
})
export type DueDelivery = z.infer<typeof DueDelivery>

/** The queue of deliveries to webhooks whose last attempt succeeded, and that of the others. Each has a function. */
export const DeliveryQueue = z.enum(['sending', 'retrying'])
export type DeliveryQueue = z.infer<typeof DeliveryQueue>

/** An attempt in a queue. Its `dueAt` is the time at which the queue hands it out first. */
export const QueuedDelivery = DueDelivery.extend({ queue: DeliveryQueue })
export type QueuedDelivery = z.infer<typeof QueuedDelivery>

/** Why an attempt failed without an answer. */
const DeliveryError = z.enum([
  'address_not_allowed',
  'name_not_found',
  'timed_out',
  'connection_failed',
  'webhook_disabled',
])

/** An attempt as administrators see it; `status` and `error` are null until it has been made. */
export const DeliveryView = z
  .object({
    id: DeliveryId,
    eventId: EventId,
    type: z.string().meta({ example: 'payment.status_changed' }),
    attempt: z.int(),
    status: z.int().nullable().meta({ description: 'The HTTP status answered', example: 200 }),
    error: DeliveryError.nullable().meta({ description: 'Why no answer came' }),
    milliseconds: z.int().nullable().meta({ example: 184 }),
    answer: z.string().nullable().meta({ description: 'The first KiB of the answer', example: 'ok' }),
    at: Timestamp,
  })
  .meta({ id: 'Delivery' })

/** The answer to a request for an attempt by hand. */
export const Redelivery = z.object({ delivery: DeliveryView })

/** An attempt as it is stored. */
export const Delivery = DeliveryView.extend({ webhookId: WebhookId, message: WebhookMessage })
export type Delivery = z.infer<typeof Delivery>

/** The result of an attempt. */
type Outcome = Pick<Delivery, 'status' | 'error' | 'milliseconds' | 'answer'>

const NO_OUTCOME: Outcome = { status: null, error: null, milliseconds: null, answer: null }

/** Returns the record of an attempt that is due or was made, with its result so far. */
export const recordOf = (
  { id, webhookId, message, attempt }: DueDelivery,
  at: Timestamp,
  { status, error, milliseconds, answer }: Outcome = NO_OUTCOME,
): Delivery => ({
  id,
  webhookId,
  message,
  eventId: message.id,
  type: message.type,
  attempt,
  status,
  error,
  milliseconds,
  answer,
  at,
})

/** Returns the record of an attempt that was not made, since the webhook is DISABLED. */
export const unsentDelivery = (due: DueDelivery, at: Timestamp): Delivery =>
  recordOf(due, at, { ...NO_OUTCOME, error: 'webhook_disabled' })

/**
 * Returns the seconds after a failed attempt until the next one; undefined after the last. `chance` (0 to 1) spreads
 * attempts that failed together: up to a tenth is added.
 */
export const backoffSeconds = (attempt: number, chance: number): number | undefined => {
  const seconds = BACKOFFS_SECONDS[attempt - 1]
  return seconds === undefined ? undefined : seconds * (1 + chance / 10)
}

/** Whether the receiver accepted the message, by any 2xx. Redirects and 410 are failures. */
export const isAccepted = (status: number | null): boolean => status !== null && status >= 200 && status < 300
