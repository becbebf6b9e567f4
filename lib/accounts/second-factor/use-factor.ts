import type { Account } from '#lib/accounts/account'
import { type FactorChange, type FactorDeps, isEstablished } from './change-factors.ts'
import { type Factors, summaryOf } from './factors.ts'
import type { ProvenFactor } from './prove-factor.ts'

/**
 * What the use of a factor changes beside what it opens: the factor works no more in that way, and a removal that an
 * administrator asked for is cancelled by a factor that was 72 hours old at the time.
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
      ...(isCancelled ? [store.unlistRemoval({ userId: account.id, at: removal.at })] : []),
    ],
  }
}
