import type { Account } from '#lib/accounts/account'
import type { KycState, KycStatus } from '#lib/accounts/kyc-state'
import { announce } from '#lib/events/event'
import type { Timestamp } from '#lib/kernel/clock'
import type { NewId } from '#lib/kernel/id'
import type { Write } from '#lib/kernel/write'
import { expiringEvent, isExpiryNear } from './expiring-event.ts'
import type { KycStore } from './kyc-store.ts'

type Deps = {
  kycStore: KycStore
  newId: NewId
}

/**
 * Returns the writes of a decision besides the account: its record, its event, and when a verification ends. `from` is the
 * status that applied at the decision: the stored one may be a verification that has ended. `isAnnounced`: whether an
 * earlier decision had the same end, and it was announced then; it is not announced again.
 */
export function decisionWrites(
  { kycStore, newId }: Deps,
  { id: userId, kyc: before }: Account,
  from: KycStatus,
  kyc: KycState,
  at: Timestamp,
  { isAnnounced = false }: { isAnnounced?: boolean } = {},
): Write[] {
  const { expiresAt } = kyc
  const isMoved = expiresAt !== null && expiresAt !== before.expiresAt
  const isAnnouncedNow = isMoved && !isAnnounced && isExpiryNear(expiresAt, at)
  const id = newId('event')
  return [
    // The record of the decision has the id of its event.
    kycStore.insertDecision(userId, { ...kyc, id }),
    announce({
      id,
      type: 'kyc.status_changed',
      subject: userId,
      at,
      data: { from, to: kyc.status, decision: kyc.decisionCount },
    }),
    ...kycStore.moveExpiry(userId, before.expiresAt, expiresAt, {
      isAnnounced: isAnnounced || isAnnouncedNow,
    }),
    // A verification that ends soon is announced with its decision; a job announces the others.
    ...(isAnnouncedNow
      ? [expiringEvent(newId('event'), userId, expiresAt, at), kycStore.recordAnnouncement(userId, expiresAt)]
      : []),
  ]
}
