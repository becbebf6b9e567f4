import { type Account, type FactorSummary, NO_FACTORS } from '#lib/accounts/account'
import type { AccountStore } from '#lib/accounts/account-store'
import { announce } from '#lib/events/event'
import { type Clock, HOUR_SECONDS, secondsAfter, type Timestamp, timestamp } from '#lib/kernel/clock'
import type { NewId } from '#lib/kernel/id'
import type { Write } from '#lib/kernel/write'
import type { FactorStore } from './factor-store.ts'
import { type Factors, keepFactors, summaryOf } from './factors.ts'

export type FactorDeps = {
  accounts: AccountStore
  factors: FactorStore
  now: Clock
  newId: NewId
}

/** A change of an account's factors, not stored yet. */
export type FactorChange = { summary: FactorSummary; writes: Write[] }

/** Returns the summary and the writes of changed factors. A scheduled removal ends once no factor is left to remove. */
function changeOf(
  { factors: store, newId, now }: Pick<FactorDeps, 'factors' | 'newId' | 'now'>,
  account: Account,
  seen: Factors,
  next: Factors,
): FactorChange {
  const summary = summaryOf(next, account.factors)
  const removal = account.factors.removal
  const isAdded = summary.passkeys > account.factors.passkeys || (summary.totp && !account.factors.totp)
  const isChanged = summary.revision !== account.factors.revision
  return {
    summary,
    writes: [
      ...store.replace(seen, next),
      ...(removal && summary.removal === null
        ? [store.unscheduleRemoval({ userId: account.id, at: removal.at })]
        : []),
      ...(isChanged ? [factorEvent({ newId, now }, account.id, isAdded ? 'added' : 'removed')] : []),
    ],
  }
}

/** Announces that an account's second factors were changed, or are to be removed. */
export const factorEvent = (
  { newId, now }: Pick<FactorDeps, 'newId' | 'now'>,
  subject: Account['id'],
  change: 'added' | 'removed' | 'to_be_removed',
): Write =>
  announce({
    id: newId('event'),
    type: 'user.second_factor_changed',
    subject,
    at: timestamp(now()),
    data: { change },
  })

/** Stores changed factors with the account's summary of them. Throws `WriteConflict` if either has changed. */
export const saveFactors = (
  deps: FactorDeps,
  account: Account,
  [seen, next]: readonly [Factors, Factors],
  also: readonly Write[] = [],
): Promise<void> => {
  const { summary, writes } = changeOf(deps, account, seen, next)
  const changed = { ...account, factors: summary, updatedAt: timestamp(deps.now()) }
  return deps.accounts.save(account, changed, [...writes, ...also])
}

/**
 * Returns the change that leaves an account only the factors which a rule keeps, by the time each was added. The caller
 * stores the summary with the account and the writes in the same transaction.
 */
export async function dropFactorsExcept(
  deps: Pick<FactorDeps, 'factors' | 'newId' | 'now'>,
  account: Account,
  isKept: (createdAt: Timestamp) => boolean,
): Promise<FactorChange> {
  // No factor was ever added.
  if (account.factors.revision === NO_FACTORS.revision) return { summary: account.factors, writes: [] }
  const seen = await deps.factors.get(account.id)
  return changeOf(deps, account, seen, keepFactors(seen, isKept))
}

/** The age from which a factor counts as added by the account's owner, not by a thief. */
const ESTABLISHED_SECONDS = 72 * HOUR_SECONDS

/** Whether a factor that was added at `since` is 72 hours old at another moment, and so counts as the owner's. */
export const isEstablished = (since: Timestamp, at: Date): boolean =>
  Date.parse(since) <= secondsAfter(at, -ESTABLISHED_SECONDS).getTime()
