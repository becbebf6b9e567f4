import { isDeepStrictEqual } from 'node:util'
import { type Journal, newAction } from '#lib/journal/journal'
import type { NewId } from '#lib/kernel/id'
import type { Account } from './account.ts'
import type { AccountUpdate } from './account-store.ts'
import type { OwnListingLimits } from './listing-limits.ts'

type Deps = { journal: Journal; newId: NewId }

/**
 * Returns the update that replaces the limits of an agent; null restores the general ones. Listings above a lowered limit
 * stay. Returns undefined for the limits that the agent already has.
 */
export function replaceLimits(
  { journal, newId }: Deps,
  administrator: string,
  { id, listingLimits: from }: Account,
  to: OwnListingLimits | null,
): AccountUpdate | undefined {
  if (isDeepStrictEqual(from, to)) return undefined
  const entry = newAction(newId, {
    by: administrator,
    subject: id,
    action: 'user.limits_changed',
    details: { from, to },
  })
  return { fields: { listingLimits: to }, also: [journal.record(entry)] }
}
