import { logChange } from '#lib/dynamo/change-log'
import type { Write } from '#lib/kernel/write'
import { eligibilityKey } from './account.keys.ts'
import { type Account, eligibleUntil } from './account.ts'

/**
 * Stores that a person's eligibility to publish may have changed, in the transaction that raises `eligibilityRevision`.
 * The consumers of this item read the account again, so that the newest decision wins.
 */
export const storeEligibilityChange = ({ id, eligibilityRevision, updatedAt }: Account): Write => ({
  put: {
    ...eligibilityKey(id),
    kind: 'eligibility',
    userId: id,
    revision: eligibilityRevision,
    at: updatedAt,
  },
})

/**
 * Writes a change of eligibility to the search's change log: one item for all listings of the agent. `before` is undefined
 * for a new account, `after` for a deleted one: the deletion counts as one revision more.
 */
export function logEligibility(before: Account | undefined, after: Account | undefined): Write[] {
  const account = after ?? before
  const untilBefore = before ? eligibleUntil(before) : null
  const until = after ? eligibleUntil(after) : null
  if (!account || until === untilBefore) return []
  const revision = after ? after.eligibilityRevision : account.eligibilityRevision + 1
  return [logChange(account.id, revision, { until })]
}
