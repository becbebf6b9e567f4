import type { NotificationId, PaymentId } from '#lib/kernel/id'
import type { Page } from '#lib/kernel/page'
import type { Commit, Write } from '#lib/kernel/write'
import type { Notification } from './notification.ts'

/** The list of those that need someone, and which they are. */
export const ATTENTION = 'ATTENTION'
export const NEEDS_SOMEONE: readonly Notification['status'][] = [
  'UNMATCHED',
  'MISMATCHED',
  'CONFLICT',
  'FAILED',
]

/** Whether a notification needs someone. An UNMATCHED one that does not wait yet is being processed. */
export const needsSomeone = ({ status, waits }: Pick<Notification, 'status' | 'waits'>): boolean =>
  NEEDS_SOMEONE.includes(status) && (status !== 'UNMATCHED' || waits)

/** How a notification ends. */
export type Outcome = Pick<Notification, 'status' | 'paymentId' | 'detail' | 'processedAt'> &
  Partial<Pick<Notification, 'statement' | 'resolution' | 'rawBody' | 'headers' | 'isErased'>>

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
  /** The newest notifications of a payment, at most 100 or `limit`. */
  ofPayment: (paymentId: PaymentId, limit?: number) => Promise<Notification[]>
  /** Notifications of a status, of a provider, or (`ATTENTION`) those that need someone; newest first. */
  list: (
    list: string,
    page: { limit: number; after: NotificationId | undefined },
  ) => Promise<Page<Notification, NotificationId>>
  /** Ends a notification, which waits no longer; `WriteConflict` if its status has changed meanwhile. */
  close: (notification: Notification, outcome: Outcome) => Write[]
  /** Removes what may name the payer: raw body, headers and words. The hash of the body stays. */
  erase: (notification: Notification) => Write
  commit: Commit
}
