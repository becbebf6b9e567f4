import type { Account } from '#lib/accounts/account'
import { type FactorChange, type FactorDeps, isEstablished } from './change-factors.ts'
import { type Factors, summaryOf } from './factors.ts'
import type { ProvenFactor } from './prove-factor.ts'

/**
 * Returns what the use of a factor changes. The same proof cannot be used again. A factor that was 72 hours old when an
 * administrator asked for the removal of all factors cancels that removal.
 */
export function useFactor(
  { factors: store }: Pick<FactorDeps, 'factors'>,
  account: Account,
  seen: Factors,
  { next, since }: ProvenFactor,
): FactorChange {
  const summary = summaryOf(next, account.factors)
  const { removal } = summary
  const isCancelled = removal !== null && isEstablished(since, new Date(removal.askedAt))
  return {
    summary: isCancelled ? { ...summary, removal: null } : summary,
    writes: [
      ...store.replace(seen, next),
      ...(isCancelled ? [store.unscheduleRemoval({ userId: account.id, at: removal.at })] : []),
    ],
  }
}
