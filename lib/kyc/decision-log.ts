import type { Account } from '#lib/accounts/account'
import type { AccountStore } from '#lib/accounts/account-store'
import type { KycState, KycStatus } from '#lib/accounts/kyc-state'
import { standingChanged } from '#lib/accounts/standing'
import { announce } from '#lib/events/event'
import type { Timestamp } from '#lib/kernel/clock'
import type { NewId, UserId } from '#lib/kernel/id'
import type { Write } from '#lib/kernel/write'
import { decisionKey, kycExpiryKey } from './kyc.keys.ts'

type Deps = { accounts: AccountStore; newId: NewId }

/**
 * The writes of a decision, of a person or of the clock: the account under the standing and the documents it
 * was judged by, the lasting record of it, its event, the lists it is found in, and the note of when a
 * verification ends. What the person owns follows their standing, see `standingChanged`. `also` is what else
 * of the account changes with it, and what it must be for that.
 */
export function decisionWrites(
  { accounts, newId }: Deps,
  account: Account,
  from: KycStatus,
  kyc: KycState,
  at: Timestamp,
  also: { seen: Record<string, unknown>; set: Partial<Account> } = { seen: {}, set: {} },
): Write[] {
  const id = newId('event')
  const { id: userId } = account
  const before = account.kyc
  const standingRevision = account.standingRevision + 1
  const seen = {
    ...also.seen,
    standingRevision: account.standingRevision,
    'kyc.documents': before.documents,
  }
  return [
    accounts.change(userId, seen, { ...also.set, kyc, standingRevision, updatedAt: at }),
    ...accounts.relist(account, { ...account, kyc }),
    standingChanged(userId, standingRevision, at),
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

/** Keeps the note of when a person's verification ends in step with it. */
export function expiryWrites(userId: UserId, before: Timestamp | null, after: Timestamp | null): Write[] {
  if (before === after) return []
  return [
    ...(before ? [{ remove: kycExpiryKey(userId, before) }] : []),
    ...(after ? [{ put: { ...kycExpiryKey(userId, after), kind: 'kyc-expiry', userId } }] : []),
  ]
}
