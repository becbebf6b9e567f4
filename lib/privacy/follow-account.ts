import { Restoration } from '#lib/accounts/addresses/restoration'
import { EligibilityChange } from '#lib/accounts/eligibility'
import { followEligibility } from '#lib/listings/moves/follow-eligibility'
import { clearTakenBack } from './clear-taken-back.ts'
import { Deletion } from './deletion.ts'
import { type EraseDeps, eraseAccount } from './erase-account.ts'
import { removeEntered } from './remove-entered.ts'
import { TakenBack } from './take-back.ts'

/**
 * Carries out the consequences of a stored change of an account: its deletion, a take-back, an undone change of address,
 * or a change of eligibility. Returns the number of listings that moved with eligibility; undefined for the other changes.
 */
export async function followAccount(
  deps: EraseDeps &
    Parameters<typeof followEligibility>[0] &
    Parameters<typeof removeEntered>[0] &
    Parameters<typeof clearTakenBack>[0],
  item: Record<string, unknown>,
): Promise<number | undefined> {
  if (item['kind'] === 'deletion') {
    await eraseAccount(deps, Deletion.parse(item))
    return undefined
  }
  if (item['kind'] === 'take-back') {
    await clearTakenBack(deps, TakenBack.parse(item))
    return undefined
  }
  if (item['kind'] === 'restoration') {
    // The owner undid a change of address: what was entered between the two may be another person's.
    await removeEntered(deps, Restoration.parse(item))
    return undefined
  }
  return followEligibility(deps, EligibilityChange.parse(item).userId)
}
