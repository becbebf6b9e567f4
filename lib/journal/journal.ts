import * as z from 'zod'
import { Timestamp, timestamp } from '#lib/kernel/clock'
import { ActionId, type NewId, timeOfId } from '#lib/kernel/id'
import type { Page } from '#lib/kernel/page'
import type { Commit, Write } from '#lib/kernel/write'

/** The actions of administrators that are recorded. */
export const ActionName = z
  .enum([
    'kyc.decided',
    'kyc.viewed',
    'kyc.listed',
    'users.listed',
    'user.viewed',
    'user.banned',
    'user.unbanned',
    'user.limits_changed',
    'user.second_factor_removed',
    'listing.moderated',
    'listings.viewed',
    'reports.closed',
    'enquiry.viewed',
    'enquiries.listed',
    'payments.listed',
    'payment.viewed',
    'receipt.viewed',
    'payment.refunded',
    'refund.resolved',
    'callback.replayed',
    'callback.resolved',
    'payout.created',
    'payout.approved',
    'payout.settled',
    'payout.failed',
    'payout.cancelled',
    'payouts.run',
    'payout.viewed',
    'payout.account_viewed',
    'payouts.listed',
    'ledger.viewed',
    'ledger.corrected',
    'webhook.created',
    'webhook.changed',
    'webhook.secret_rotated',
    'webhook.deleted',
    'search.made',
    'mail.sent_again',
  ])
  .meta({ id: 'ActionName' })

/**
 * An entry of the journal: the administrator, the action, its subject and the time. It is written in the transaction of
 * the action and never changed.
 */
export const Action = z
  .object({
    id: ActionId,
    /** The administrator's subject. */
    by: z.string().meta({ example: 'adm-7f3a' }),
    at: Timestamp,
    subject: z.string().meta({
      example: 'lst_01KAH3M6XQ8ZJ4T2V7W9C5RBND',
      description:
        'The id of the user, listing, payment, enquiry, callback, payout, webhook or mail, or the name of the list',
    }),
    action: ActionName,
    details: z.record(z.string(), z.unknown()).meta({ description: 'Ids, states, sums and codes' }),
  })
  .meta({ id: 'Action' })
export type Action = z.infer<typeof Action>

/** Makes an entry. Its time is that of its id, by which the journal is sorted. */
export function newAction(newId: NewId, action: Omit<Action, 'id' | 'at'>): Action {
  const id = newId('action')
  return { id, at: timestamp(new Date(timeOfId(id))), ...action }
}

/**
 * Makes the entry for a list that was read. Its details are the names of the given parameters and the ids in the answer,
 * never the search text.
 */
export const newListAction = (
  newId: NewId,
  action: Pick<Action, 'by' | 'subject' | 'action'>,
  { limit: _limit, cursor: _cursor, ...given }: Record<string, unknown>,
  ids: readonly string[],
): Action => {
  const parameters = Object.keys(given).filter((name) => given[name] !== undefined)
  return newAction(newId, { ...action, details: { parameters, ids: [...ids] } })
}

/**
 * Which entries a page holds. With both `subject` and `by`, the entries of the subject are read, and those of other
 * administrators left out. `from` is included, `to` is not.
 */
export type ActionFilter = {
  by: string | undefined
  subject: string | undefined
  from: Date | undefined
  to: Date | undefined
}

/** Stores the journal. */
export type Journal = {
  /** Returns the write of an entry, for the transaction of the action itself. */
  record: (action: Action) => Write
  /** Stores the entry of an action that writes no more than its entry, such as a reading. */
  commit: Commit
  get: (id: ActionId) => Promise<Action | undefined>
  /** Newest first; `after` is the last id seen. A page may hold fewer than `limit`. */
  list: (
    filter: ActionFilter,
    page: { limit: number; after: ActionId | undefined },
  ) => Promise<Page<Action, ActionId>>
}

export type JournalReader = Pick<Journal, 'get' | 'list'>
