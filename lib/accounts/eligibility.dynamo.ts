import { logChange } from '#lib/dynamo/change-log'
import type { Table } from '#lib/dynamo/table'
import type { Write } from '#lib/kernel/write'
import { eligibilityKey } from './account.keys.ts'
import { type Account, eligibleUntil } from './account.ts'

/** Whether a change may move the records that follow a person's status and eligibility to publish. */
const isEligibilityChanged = (before: Account, after: Account): boolean =>
  before.status !== after.status || eligibleUntil(before) !== eligibleUntil(after)

/** Returns the account after a change, with a higher `eligibilityRevision` if the status or the eligibility has changed. */
export const withEligibilityRevision = (before: Account, after: Account): Account =>
  isEligibilityChanged(before, after)
    ? { ...after, eligibilityRevision: before.eligibilityRevision + 1 }
    : after

/**
 * Stores that a person's status or eligibility to publish has changed, in the transaction of the change. The consumers of the
 * item read the account again, so that the newest decision wins.
 */
export const eligibilityWrites = (table: Table, before: Account, after: Account): Write[] => {
  if (!isEligibilityChanged(before, after)) return []
  const { id, eligibilityRevision, updatedAt } = after
  const change = { kind: 'eligibility', userId: id, revision: eligibilityRevision, at: updatedAt }
  return [table.put({ ...eligibilityKey(id), ...change }), ...logEligibility(table, before, after)]
}

/**
 * Writes a change of eligibility to the search's change log: one item for all listings of the agent. `after` is undefined for
 * a deleted account: the deletion counts as one revision more.
 */
export function logEligibility(table: Table, before: Account, after: Account | undefined): Write[] {
  const until = after ? eligibleUntil(after) : null
  const revision = after?.eligibilityRevision ?? before.eligibilityRevision + 1
  return until === eligibleUntil(before) ? [] : [logChange(table, before.id, revision, { until })]
}
