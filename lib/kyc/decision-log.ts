import type { Account } from '#lib/accounts/account'
import type { AccountStore } from '#lib/accounts/account-store'
import { announce } from '#lib/events/event'
import type { Timestamp } from '#lib/kernel/clock'
import type { NewId, UserId } from '#lib/kernel/id'
import type { Write } from '#lib/kernel/write'
import { decisionKey, kycExpiryKey } from './kyc.keys.ts'
import type { KycState, KycStatus } from './kyc.ts'

type Deps = { accounts: AccountStore; newId: NewId }

/**
 * The writes of a decision, of a person or of the clock: the account under the decision it was judged against,
 * the lasting record of it, its event, and the note of when a verification ends.
 */
export function decisionWrites(
  { accounts, newId }: Deps,
  account: Account,
  from: KycStatus,
  kyc: KycState,
  at: Timestamp,
): Write[] {
  const id = newId('event')
  const { id: userId } = account
  const before = account.kyc
  return [
    accounts.change(userId, { 'kyc.decisions': before.decisions }, { kyc, standingRevision: account.standingRevision + 1, updatedAt: at }),
    { put: { ...decisionKey(userId, id), kind: 'kyc-decision', id, userId, ...kyc }, when: 'absent' },
    announce({
      id,
      type: 'kyc.status_changed',
      subject: userId,
      at,
      data: { from, to: kyc.status, decision: kyc.decisions },
    }),
    ...expiryWrites(userId, before.expiresAt, kyc.expiresAt),
  ]
}

function expiryWrites(userId: UserId, before: Timestamp | null, after: Timestamp | null): Write[] {
  if (before === after) return []
  return [
    ...(before ? [{ remove: kycExpiryKey(userId, before) }] : []),
    ...(after ? [{ put: { ...kycExpiryKey(userId, after), kind: 'kyc-expiry', userId } }] : []),
  ]
}
