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
 * Writes a change of eligibility to the search's change log: one item for all listings of the agent. Undefined stands for
 * an account that does not exist yet, or no longer: its deletion counts as one revision more.
 */
export function logEligibility(before: Account | undefined, after: Account | undefined): Write[] {
  const account = after ?? before
  const until = after ? eligibleUntil(after) : null
  if (!account || until === (before ? eligibleUntil(before) : null)) return []
  return [logChange(account.id, account.eligibilityRevision + (after ? 0 : 1), { until })]
}
