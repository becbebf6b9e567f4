import { isEnteredIn, Restoration } from '#lib/accounts/addresses/restoration'
import { EligibilityChange } from '#lib/accounts/eligibility'
import { announce } from '#lib/events/event'
import { timestamp } from '#lib/kernel/clock'
import { retryConflicts } from '#lib/kernel/retry'
import { cancelOfIneligible, cancelUnsent } from './cancel-unsent.ts'
import type { PayoutAccountStore } from './payout-account-store.ts'

type Deps = Parameters<typeof cancelOfIneligible>[0] & {
  payoutAccounts: PayoutAccountStore
}

/**
 * Carries out what a stored change of an account means for its payouts: an undone change of address, or a change of
 * eligibility. Safe to repeat.
 */
export const followPayee = (deps: Deps, item: Record<string, unknown>): Promise<void> =>
  item['kind'] === 'restoration'
    ? removeEnteredAccount(deps, Restoration.parse(item))
    : cancelOfIneligible(deps, EligibilityChange.parse(item).userId)

/**
 * Removes a payout account that was entered between a change of address and its undoing. It may be another person's.
 * Payouts to it that were not sent are cancelled.
 */
async function removeEnteredAccount(deps: Deps, restoration: Restoration): Promise<void> {
  const { userId } = restoration
  const isKept = await retryConflicts(async () => {
    const account = await deps.payoutAccounts.get(userId)
    if (!account) return false
    if (!isEnteredIn(restoration, account.updatedAt)) return true
    const changed = { id: deps.newId('event'), type: 'user.payout_account_changed' } as const
    await deps.payoutAccounts.commit([
      deps.payoutAccounts.remove(userId, account.version),
      announce({ ...changed, subject: userId, at: timestamp(deps.now()), data: {} }),
    ])
    return false
  })
  // Also without an account: the payouts that an interrupted run left.
  if (!isKept) await cancelUnsent(deps, userId, { includesByHand: false })
}
