import { StandingChange } from '#lib/accounts/standing'
import { followStanding } from '#lib/listings/follow-standing'
import { archiveListings } from './archive-listings.ts'
import { Deletion } from './deletion.ts'
import { type EraseDeps, eraseAccount } from './erase-account.ts'
import { TakenBack } from './take-back.ts'

/**
 * Carries out what follows a stored change of an account: its end, a take-back, or a change of standing, of which it
 * answers how many listings have moved.
 */
export async function followAccount(
  deps: EraseDeps & Parameters<typeof followStanding>[0],
  item: Record<string, unknown>,
): Promise<number | undefined> {
  if (item['kind'] === 'deletion') {
    await eraseAccount(deps, Deletion.parse(item))
    return undefined
  }
  if (item['kind'] === 'take-back') {
    const { userId, at } = TakenBack.parse(item)
    await archiveListings(deps, userId, 'account_taken_back', at)
    return undefined
  }
  return followStanding(deps, StandingChange.parse(item).userId)
}
