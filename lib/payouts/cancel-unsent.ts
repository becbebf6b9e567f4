import { isEligibleToPublish } from '#lib/accounts/account'
import type { AccountReader } from '#lib/accounts/account-store'
import type { UserId } from '#lib/kernel/id'
import { type ChangePayoutDeps, changePayout } from './change-payout.ts'
import { hasGoneOut, type Payout } from './payout.ts'
import type { PayoutReader } from './payout-store.ts'

/** Which unsent payouts are cancelled: PENDING ones by hand only with `includesByHand`, those to `exceptTo` (encrypted) never. */
type Extent = { includesByHand: boolean; exceptTo?: string }

function isToCancel(payout: Payout, { includesByHand, exceptTo }: Extent): boolean {
  if (payout.sealed === exceptTo) return false
  if (payout.status === 'AWAITING_APPROVAL') return true
  if (payout.status !== 'PENDING') return false
  return payout.method === 'by_hand' ? includesByHand : !hasGoneOut(payout)
}

/** Cancels an agent's payouts that were not sent to their provider: their money goes back. Safe to repeat. */
export async function cancelUnsent(
  deps: ChangePayoutDeps & { payouts: PayoutReader },
  agentId: UserId,
  extent: Extent,
): Promise<void> {
  const underWay = await deps.payouts.underWay(agentId)
  for (const { id } of underWay.filter((payout) => isToCancel(payout, extent))) {
    await changePayout(deps, id, { reason: 'not sent' }, (payout) =>
      isToCancel(payout, extent) ? { status: 'CANCELLED', dueAt: null, needsResolution: false } : undefined,
    )
  }
}

/** Cancels the payouts of an agent who is banned or no longer VERIFIED. Safe to repeat. */
export async function cancelOfIneligible(
  deps: ChangePayoutDeps & {
    payouts: PayoutReader
    accounts: AccountReader
  },
  agentId: UserId,
): Promise<void> {
  const account = await deps.accounts.get(agentId)
  if (account && isEligibleToPublish(account, deps.now())) return
  await cancelUnsent(deps, agentId, { includesByHand: true })
}
