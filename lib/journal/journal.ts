import * as z from 'zod'
import { Timestamp, timestamp } from '#lib/kernel/clock'
import { ActionId, type NewId, timeOfId } from '#lib/kernel/id'
import type { Page } from '#lib/kernel/page'
import type { Write } from '#lib/kernel/write'

/** What administrators do that stays on record. */
export const ActionName = z
  .enum([
    'kyc.decided',
    'kyc.viewed',
    'user.banned',
    'user.unbanned',
    'listing.moderated',
    'reports.closed',
    'enquiry.viewed',
    'payment.refunded',
    'refund.resolved',
    'notification.replayed',
    'notification.resolved',
    'mail.sent_again',
  ])
  .meta({ id: 'ActionName' })

/**
 * An entry of the journal: the administrator, the action, its subject and the time. It is written with the deed and
 * never changed.
 */
export const Action = z
  .object({
    id: ActionId,
    /** The administrator's subject. */
    by: z.string(),
    at: Timestamp,
    subject: z
      .string()
      .meta({ description: 'The id of the user, listing, payment, enquiry, notification or mail' }),
    action: ActionName,
    details: z.record(z.string(), z.unknown()).meta({ description: 'Ids, states, sums and codes' }),
  })
  .meta({ id: 'Action' })
export type Action = z.infer<typeof Action>

/** A new entry, dated by its id: the journal's order and its times are one. */
export function newAction(newId: NewId, deed: Omit<Action, 'id' | 'at'>): Action {
  const id = newId('action')
  return { id, at: timestamp(new Date(timeOfId(id))), ...deed }
}

/** Which entries a page holds. `subject` goes before `by`; bounds are ids, the first included, the last not. */
export type ActionFilter = {
  by: string | undefined
  subject: string | undefined
  from: Date | undefined
  to: Date | undefined
}

/** Where the journal stands. */
export type Journal = {
  /** The write of an entry: part of the transaction of the deed. */
  record: (action: Action) => Write
  get: (id: ActionId) => Promise<Action | undefined>
  /** Newest first; `after` is the last id seen. A page may hold fewer than `limit`. */
  list: (
    filter: ActionFilter,
    page: { limit: number; after: ActionId | undefined },
  ) => Promise<Page<Action, ActionId>>
}
