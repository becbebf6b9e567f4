import type { AccountStore } from '#lib/accounts/account-store'
import { type KycState, UNDECIDED } from '#lib/accounts/kyc-state'
import { type Clock, timestamp, withDaysBefore } from '#lib/kernel/clock'
import type { NewId } from '#lib/kernel/id'
import { inParallel } from '#lib/kernel/parallel'
import { retryConflicts } from '#lib/kernel/retry'
import { decisionWrites } from './decision-writes.ts'
import { announceExpiring } from './expiring-event.ts'
import type { Expiry, KycStore } from './kyc-store.ts'

/** The number of past days whose ends the job reads, in case it did not run. */
const DAYS_BACK = 7

type Deps = {
  accounts: AccountStore
  kycStore: KycStore
  now: Clock
  newId: NewId
}

/**
 * Records the end of verifications whose time has passed. Reads show them EXPIRED from that moment on; the job adds a
 * decision with its history and event. Also announces verifications that end soon. A failure of one person is thrown once
 * everything else is done. Safe to repeat.
 */
export async function expireVerifications(deps: Deps): Promise<{ expired: number; announced: number }> {
  const [expired = 0, announced = 0] = await inParallel([recordEnds, announceExpiring], (part) => part(deps))
  return { expired, announced }
}

async function recordEnds(deps: Deps): Promise<number> {
  const now = deps.now()
  const until = timestamp(now)
  const days = withDaysBefore(now, DAYS_BACK)
  const due = (await inParallel(days, (day) => deps.kycStore.listEndingOn(day, until))).flat()
  const recorded = await inParallel(due, (expiry) => expire(deps, expiry))
  return recorded.filter(Boolean).length
}

const expire = (deps: Deps, { userId, expiresAt }: Expiry): Promise<boolean> =>
  retryConflicts(async () => {
    const account = await deps.accounts.get(userId)
    if (account?.kyc.status !== 'VERIFIED' || account.kyc.expiresAt !== expiresAt) return false
    const at = timestamp(deps.now())
    const kyc: KycState = {
      ...UNDECIDED,
      status: 'EXPIRED',
      previousStatus: 'VERIFIED',
      decidedBy: 'system',
      decidedAt: at,
      decisionCount: account.kyc.decisionCount + 1,
      documentCount: account.kyc.documentCount,
      // The end is no review: an agent profile that waits still waits, and a waiting person stays in the queue.
      agentWaits: account.kyc.agentWaits,
      waitingSince: account.kyc.waitingSince,
    }
    const also = decisionWrites(deps, account, 'VERIFIED', kyc, at)
    await deps.accounts.save(account, { ...account, kyc, updatedAt: at }, also)
    return true
  })
