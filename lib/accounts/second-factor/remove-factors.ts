import * as z from 'zod'
import { hasSecondFactor } from '#lib/accounts/account'
import { type Journal, newAction } from '#lib/journal/journal'
import { DAY_SECONDS, secondsAfter, Timestamp, timestamp, withDaysBefore } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import type { UserId } from '#lib/kernel/id'
import { inParallel } from '#lib/kernel/parallel'
import { retryConflicts } from '#lib/kernel/retry'
import { text } from '#lib/kernel/text'
import { dropFactorsExcept, type FactorDeps, factorEvent } from './change-factors.ts'
import type { DueRemoval, FactorStore } from './factor-store.ts'

type DueDeps = FactorDeps & { factors: FactorStore }

/** The time in which the person may object, by signing in with a factor. */
const NOTICE_SECONDS = DAY_SECONDS
/** The job also removes factors that were due on these days before its run, should earlier runs have failed. */
const DAYS_BACK = 7

export const FactorRemovalRequest = z.object({
  note: text({ max: 1000 }).meta({ example: 'Known by telephone.' }),
})
export const FactorRemoval = z.object({ removesAt: Timestamp }).meta({ id: 'FactorRemoval' })

/**
 * Announces that every second factor of a person is removed in 24 hours; a repeated request has the same answer. The
 * person is notified at once. Throws `not_found` and `second_factor_missing`.
 */
export const requestRemoval = (
  deps: Pick<FactorDeps, 'accounts' | 'now' | 'newId'> & {
    factors: FactorStore
    journal: Journal
  },
  administrator: string,
  userId: UserId,
  { note }: z.infer<typeof FactorRemovalRequest>,
): Promise<z.infer<typeof FactorRemoval>> =>
  retryConflicts(async () => {
    const { accounts, factors, journal, now, newId } = deps
    const account = await accounts.get(userId)
    if (!account) throw new DomainError('not_found', { detail: 'There is no such user' })
    if (!hasSecondFactor(account)) throw new DomainError('second_factor_missing')
    if (account.factors.removal) return { removesAt: account.factors.removal.at }
    const removal = { askedAt: timestamp(now()), at: timestamp(secondsAfter(now(), NOTICE_SECONDS)) }
    // The journal has the decision alone: the removal itself, 24 hours later, is no action of an administrator.
    const details = { removesAt: removal.at, note }
    const action = {
      by: administrator,
      subject: userId,
      action: 'user.second_factor_removed',
      details,
    } as const
    await accounts.save(account, { ...account, factors: { ...account.factors, removal } }, [
      factors.scheduleRemoval({ userId, at: removal.at }),
      journal.record(newAction(newId, action)),
      factorEvent(deps, userId, 'to_be_removed'),
    ])
    return { removesAt: removal.at }
  })

/**
 * Removes the second factors whose notice has passed. If a removal fails, throws its error once the others are made.
 * Safe to repeat.
 */
export async function removeDueFactors(deps: DueDeps): Promise<{ removed: number }> {
  const now = deps.now()
  const until = timestamp(now)
  const days = withDaysBefore(now, DAYS_BACK)
  const due = (await inParallel(days, (day) => deps.factors.dueOn(day, until))).flat()
  const removed = await inParallel(due, (each) => removeOne(deps, each))
  return { removed: removed.filter(Boolean).length }
}

const removeOne = (deps: DueDeps, due: DueRemoval): Promise<boolean> =>
  retryConflicts(async () => {
    const { accounts, factors, now } = deps
    const account = await accounts.get(due.userId)
    // The removal was cancelled, or the account deleted, after the job had read what is due.
    if (account?.factors.removal?.at !== due.at) {
      await factors.commit([factors.unscheduleRemoval(due)])
      return false
    }
    const keepsNone = () => false
    // The writes also unschedule the removal.
    const { summary, writes } = await dropFactorsExcept(deps, account, keepsNone)
    await accounts.save(account, { ...account, factors: summary, updatedAt: timestamp(now()) }, writes)
    return true
  })
