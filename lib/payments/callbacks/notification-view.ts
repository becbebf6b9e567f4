import * as z from 'zod'
import { Timestamp } from '#lib/kernel/clock'
import { NotificationId, PaymentId } from '#lib/kernel/id'
import { type Notification, NotificationStatus } from './notification.ts'

/** A notification as administrators see it. */
export const NotificationView = z
  .object({
    id: NotificationId,
    provider: z.string().meta({ example: 'stripe' }),
    eventId: z.string(),
    type: z.string(),
    status: NotificationStatus,
    paymentId: PaymentId.nullable(),
    detail: z.string().nullable(),
    receivedAt: Timestamp,
    processedAt: Timestamp.nullable(),
  })
  .meta({ id: 'Notification' })
export type NotificationView = z.infer<typeof NotificationView>

/** Shows a notification: the outcome, without the provider's body. */
export const notificationView = ({
  id,
  provider,
  eventId,
  type,
  status,
  paymentId,
  detail,
  receivedAt,
  processedAt,
}: Notification): NotificationView => ({
  id,
  provider,
  eventId,
  type,
  status,
  paymentId,
  detail,
  receivedAt,
  processedAt,
})
