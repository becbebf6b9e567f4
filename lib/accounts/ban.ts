import * as z from 'zod'
import { announce } from '#lib/events/event'
import { type Journal, newAction } from '#lib/journal/journal'
import { type Clock, Timestamp, timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import { type NewId, StatusDecisionId, type UserId } from '#lib/kernel/id'
import { retryConflicts } from '#lib/kernel/retry'
import { text } from '#lib/kernel/text'
import type { Write } from '#lib/kernel/write'
import { type Account, AccountStatus } from './account.ts'
import type { AccountStore } from './account-store.ts'
import { administeredUser } from './administered-user.ts'

/** Bans a user or lets them in again, and why. */
export const StatusChange = z.object({ status: AccountStatus, reason: text({ max: 1000 }).nullish() })

/** A ban or its end as its lasting record has it. */
export const StatusDecision = z.object({
  id: StatusDecisionId,
  from: AccountStatus,
  to: AccountStatus,
  reason: z.string().nullable(),
  /** An administrator's subject. */
  by: z.string(),
  at: Timestamp,
})
export type StatusDecision = z.infer<typeof StatusDecision>

/** Everything that was decided about whether a user may sign in, oldest first. */
export type StatusDecisions = {
  of: (userId: UserId) => Promise<StatusDecision[]>
  insert: (userId: UserId, decision: StatusDecision) => Write
}

type Deps = {
  accounts: AccountStore
  statuses: Pick<StatusDecisions, 'insert'>
  journal: Pick<Journal, 'record'>
  now: Clock
  newId: NewId
}

/**
 * Bans a user, which ends every session and mailed link of theirs and hides what they own from customers at once, or lets them
 * in again. One recorded transaction; what they own follows it, see `storeEligibilityChange`. The status a user
 * already has, for the same reason, records nothing. Throws `not_found`.
 */
export const changeStatus = (
  deps: Deps,
  administrator: string,
  id: UserId,
  { status, reason = null }: z.infer<typeof StatusChange>,
) =>
  retryConflicts(async () => {
    const { accounts, statuses, now, newId } = deps
    const account = await accounts.get(id)
    if (!account) throw new DomainError('not_found', { detail: 'There is no such user' })
    const banReason = status === 'BANNED' ? reason : null
    if (account.status === status && account.banReason === banReason) return administeredUser(account, now())

    const at = timestamp(now())
    const next: Account = {
      ...account,
      status,
      banReason,
      ...(status === 'BANNED' && {
        sessions: {},
        apiKeys: {},
        registration: newId('registration'),
        emailChangeId: null,
      }),
      eligibilityRevision: account.eligibilityRevision + 1,
      updatedAt: at,
    }
    const decision = {
      id: newId('statusDecision'),
      from: account.status,
      to: status,
      reason,
      by: administrator,
      at,
    }
    const isNew = status === 'BANNED' && account.status !== 'BANNED'
    const entry = newAction(newId, {
      by: administrator,
      subject: id,
      action: status === 'BANNED' ? 'user.banned' : 'user.unbanned',
      details: { from: account.status, to: status },
    })
    const also = [
      statuses.insert(id, decision),
      deps.journal.record(entry),
      ...(isNew ? [announceBan(newId, id, at)] : []),
    ]
    await accounts.save(account, next, ['eligibilityRevision', 'sessions', 'apiKeys'], also)
    return administeredUser(next, now())
  })

const announceBan = (newId: NewId, subject: UserId, at: Timestamp): Write =>
  announce({ id: newId('event'), type: 'user.banned', subject, at, data: {} })
