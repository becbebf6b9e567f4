import * as z from 'zod'
import type { AccountReader } from '#lib/accounts/account-store'
import { DomainError } from '#lib/kernel/domain-error'
import { UserId } from '#lib/kernel/id'
import { inParallel } from '#lib/kernel/parallel'
import { retryConflicts } from '#lib/kernel/retry'
import { type EndDeps, endAccount } from './delete-account.ts'
import type { DeletionReader } from './deletion.ts'
import { type EraseDeps, eraseAccount } from './erase-account.ts'

/** The people to erase again. An event without `userIds` erases nobody. */
export const ErasuresToRepeat = z.object({ userIds: z.array(UserId).default([]) })

type Deps = EraseDeps & EndDeps & { accounts: AccountReader; deletions: DeletionReader }

/** Why somebody is not erased yet: a payment is open, or money is owed to them. */
const WAITING: readonly string[] = ['payments_open', 'balance_open']

/**
 * Erases, one by one, people whom a restored table has brought back. Their password was given before the restore. Returns
 * how many are erased now, and who waits for the end of open payments or for money owed: run the job again for them.
 * A failure of one person is thrown once the others are erased. Safe to repeat, also after a run that broke off.
 */
export async function repeatErasures(
  deps: Deps,
  { userIds }: z.output<typeof ErasuresToRepeat>,
): Promise<{ erased: number; waiting: UserId[] }> {
  const waiting: UserId[] = []
  const people = [...new Set(userIds)]
  const erase = async (userId: UserId) => {
    if (!(await eraseAgain(deps, userId))) waiting.push(userId)
  }
  await inParallel(people, erase, { width: 1 })
  return { erased: people.length - waiting.length, waiting }
}

/** Erases a person again. Returns whether all their data is gone, also if the table never held any. */
async function eraseAgain(deps: Deps, userId: UserId): Promise<boolean> {
  try {
    await retryConflicts(async () => {
      const account = await deps.accounts.get(userId)
      if (account) await endAccount(deps, account)
    })
  } catch (error) {
    if (error instanceof DomainError && WAITING.includes(error.code)) return false
    throw error
  }
  const deletion = await deps.deletions.get(userId)
  if (deletion && deletion.erasedAt === null) await eraseAccount(deps, deletion)
  return true
}
