import { DomainError } from '#lib/kernel/domain-error'
import type { Account } from './account.ts'
import { currentStatus } from './kyc-state.ts'

/** The fields that an administrator decides an identity by. */
export type IdentityField = 'name' | 'displayName' | 'agency' | 'licenseNumber'

/**
 * Refuses a change of the fields by which an identity was decided or will be decided. While the person waits for
 * review it throws `in_review`, and on a VERIFIED identity `identity_verified`; where both hold, `in_review`.
 */
export function refuseFrozen({ kyc }: Account, changed: readonly IdentityField[], now: Date): void {
  if (changed.length === 0) return
  const isWaiting = kyc.waitingSince !== null
  if (!isWaiting && currentStatus(kyc, now) !== 'VERIFIED') return
  const code = isWaiting ? 'in_review' : 'identity_verified'
  const why = isWaiting ? 'is being reviewed' : 'is part of the verified identity'
  throw new DomainError(code, {
    detail: changed.map((field) => `${field} ${why} and cannot change`).join('; '),
    errors: changed.map((path) => ({ path, code, message: why })),
  })
}
