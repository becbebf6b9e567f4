import { type Clock, HOUR_SECONDS } from '#lib/kernel/clock'
import type { Quota, Quotas } from '#lib/kernel/quota'
import type { Write } from '#lib/kernel/write'
import { isOnline, type Listing } from './listing.ts'

/** The number of changes of one public listing. */
const OF_LISTING: Quota = { policy: 'listing-changes', limit: 60, windowSeconds: HOUR_SECONDS }

/** The number of changes of all public listings of an agent. */
const OF_AGENT: Quota = { policy: 'agent-changes', limit: 600, windowSeconds: HOUR_SECONDS }

/**
 * Counts a change that an agent makes to a listing that is public before or after it. Above a limit the commit throws
 * `too_many_requests`.
 */
export function countChange(
  { quotas, now }: { quotas: Quotas; now: Clock },
  seen: Listing,
  next: Listing,
): Write[] {
  if (!isOnline(seen) && !isOnline(next)) return []
  return [quotas.count(OF_LISTING, seen.id, now()), quotas.count(OF_AGENT, seen.agentId, now())]
}
