import type { NotificationId } from '#lib/kernel/id'
import type { Write } from '#lib/kernel/write'
import type { Notification } from './notification.ts'

/** How a notification ends. */
export type Outcome = Pick<Notification, 'status' | 'paymentId' | 'detail' | 'processedAt'>

/**
 * Where verified notifications are kept, once each. Reads are consistent: a callback writes here and then
 * looks for its payment, a new payment is written and then looks here, so whichever is second sees the other.
 */
export type Inbox = {
  /** The notification at an id's place, whenever its event came first. */
  get: (id: NotificationId) => Promise<Notification | undefined>
  /** Keeps a notification; false when one is at its place already, which then stays as it is. */
  insert: (notification: Notification) => Promise<boolean>
  /** Leaves word under each of its references that a notification waits for a payment. */
  wait: (notification: Notification) => Promise<Notification>
  /** The UNMATCHED notifications that wait for a payment by any of these references. */
  waiting: (provider: string, references: readonly string[]) => Promise<Notification[]>
  /** Closes an UNMATCHED notification, which waits no longer; `version_conflict` if another has closed it. */
  close: (notification: Notification, outcome: Outcome) => Write[]
}
