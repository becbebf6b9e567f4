import * as z from 'zod'
import type { Account } from '#lib/accounts/account'
import { currentStatus, UNDECIDED } from '#lib/accounts/kyc-state'
import type { TakeBack } from '#lib/accounts/passwords/reset-password'
import { type Clock, Timestamp, timestamp } from '#lib/kernel/clock'
import { type NewId, UserId } from '#lib/kernel/id'
import type { Write } from '#lib/kernel/write'
import { decisionWrites } from '#lib/kyc/decision-writes'
import type { KycStore } from '#lib/kyc/kyc-store'
import { NotificationState, type NotificationStore, preferencesOf } from '#lib/notifications/notification'
import type { PayoutAccountStore } from '#lib/payouts/payout-account-store'

/** The stored record of an account that the owner of its address took back. */
export const TakenBack = z.object({ userId: UserId, at: Timestamp })
export type TakenBack = z.infer<typeof TakenBack>

/**
 * Part of the transaction that takes an account back. The table's stream carries it to the function that clears what was
 * entered before.
 */
export type TakeBacks = { insert: (userId: UserId, at: Timestamp) => Write }

type Deps = {
  kycStore: KycStore
  takeBacks: TakeBacks
  payoutAccounts: PayoutAccountStore
  notifications: NotificationStore
  now: Clock
  newId: NewId
}

/**
 * Hands an account to the owner of its address, at the first reset of a never verified address: somebody else may have
 * registered it. Clears name, telephone number, agent profile, payout account, preferences and identity, voids every mailed
 * link and has the listings archived. A REJECTED decision stays, so that a reset cannot remove it. A never verified account
 * has no documents.
 */
export const takeBack =
  (deps: Deps): TakeBack =>
  (account, reset) => {
    const cleared = {
      ...reset,
      // Links that were mailed for another registration are void.
      registration: deps.newId('registration'),
      name: null,
      phone: null,
      agent: null,
      takenBackAt: reset.updatedAt,
    }
    const identity = clearIdentity(deps, account, cleared)
    const also = [
      ...identity.also,
      deps.payoutAccounts.remove(account.id),
      deps.notifications.setPreferences(account.id, PREFERENCES_AT_FIRST),
      deps.takeBacks.insert(account.id, reset.updatedAt),
    ]
    return { ...identity, also }
  }

/** The mail that a new account wants: all of it. */
const PREFERENCES_AT_FIRST = preferencesOf(NotificationState.parse({}))

function clearIdentity(deps: Deps, account: Account, cleared: Account): { next: Account; also: Write[] } {
  const { now } = deps
  const { kyc: before } = account
  const at = timestamp(now())
  const from = currentStatus(before, now())
  if (from === 'REJECTED') return { next: cleared, also: [] }
  const { decisionCount } = before
  if (from === 'UNVERIFIED') {
    return { next: { ...cleared, kyc: { ...UNDECIDED, decisionCount } }, also: [] }
  }
  const kyc = {
    ...UNDECIDED,
    previousStatus: from,
    decidedBy: 'system',
    decidedAt: at,
    decisionCount: decisionCount + 1,
  }
  return { next: { ...cleared, kyc }, also: decisionWrites(deps, account, from, kyc, at) }
}
