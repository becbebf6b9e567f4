import * as z from 'zod'
import { announce } from '#lib/events/event'
import { type Journal, newAction } from '#lib/journal/journal'
import { Timestamp } from '#lib/kernel/clock'
import { type NewId, StatusDecisionId, type UserId } from '#lib/kernel/id'
import type { Write } from '#lib/kernel/write'
import { type Account, AccountStatus } from './account.ts'
import type { AccountUpdate } from './account-store.ts'

/** The lasting record of a ban or of its end. */
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
  statuses: StatusDecisions
  journal: Journal
  newId: NewId
}

/**
 * Returns the update that bans or unbans a user. A ban ends every session and API key, and voids mailed links except
 * those that undo a change of address. It hides the user's listings from customers at once; the listings' records
 * follow, see `eligibilityWrites`. Returns undefined if the user already has this status for this reason.
 */
export function decideStatus(
  { statuses, journal, newId }: Deps,
  administrator: string,
  account: Account,
  { status, reason: given }: { status: AccountStatus; reason: string | null | undefined },
  at: Timestamp,
): AccountUpdate | undefined {
  const { id, status: from } = account
  const isBan = status === 'BANNED'
  // A reason that is left out stays, where the user has the status already.
  const reason = given === undefined && from === status ? account.banReason : (given ?? null)
  const banReason = isBan ? reason : null
  if (from === status && account.banReason === banReason) return undefined

  const decision = { id: newId('statusDecision'), from, to: status, reason, by: administrator, at }
  // Another reason for a present ban is stored without an event.
  const isNewBan = isBan && from !== 'BANNED'
  const entry = newAction(newId, {
    by: administrator,
    subject: id,
    action: isBan ? 'user.banned' : 'user.unbanned',
    details: { from, to: status },
  })
  return {
    fields: {
      status,
      banReason,
      bannedAt: isBan ? (account.bannedAt ?? at) : null,
      ...(isBan && {
        sessions: {},
        apiKeys: {},
        registration: newId('registration'),
        emailChangeId: null,
      }),
    },
    also: [
      statuses.insert(id, decision),
      journal.record(entry),
      ...(isNewBan ? [announceBan(newId, id, at)] : []),
    ],
  }
}

const announceBan = (newId: NewId, subject: UserId, at: Timestamp): Write =>
  announce({ id: newId('event'), type: 'user.banned', subject, at, data: {} })

export type StatusReader = Pick<StatusDecisions, 'of'>
