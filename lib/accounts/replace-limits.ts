import { type Journal, newAction } from '#lib/journal/journal'
import type { NewId } from '#lib/kernel/id'
import type { Account } from './account.ts'
import type { AccountUpdate } from './account-store.ts'
import type { OwnListingLimits } from './listing-limits.ts'

type Deps = { journal: Pick<Journal, 'record'>; newId: NewId }

/**
 * Replaces the limits of an agent; null restores the general ones. Listings above a lowered limit stay. The limits that
 * an agent already has change nothing.
 */
export function replaceLimits(
  { journal, newId }: Deps,
  administrator: string,
  { id, listingLimits: from }: Account,
  to: OwnListingLimits | null,
): AccountUpdate | undefined {
  if (JSON.stringify(from) === JSON.stringify(to)) return undefined
  const entry = newAction(newId, {
    by: administrator,
    subject: id,
    action: 'user.limits_changed',
    details: { from, to },
  })
  // Not `listingLimits`: an older record lacks it, and a missing attribute equals no value.
  return { fields: { listingLimits: to }, ifUnchanged: ['updatedAt'], also: [journal.record(entry)] }
}
