import { claimedBy } from '#lib/claims/claim'
import { openClaims } from '#lib/claims/claim-store.dynamo'
import { onTable } from '#lib/dynamo/table'
import { systemClock } from '#lib/kernel/clock'
import type { ListingId } from '#lib/kernel/id'
import type { QueueFacts } from '#lib/listings/review/list-queue'

/** Reads what a page of the moderation queue shows beside its listings: who is at each of them. */
export const queueFacts = onTable((table) => {
  const claims = openClaims(table)
  return async (ids: ListingId[]): Promise<ReadonlyMap<string, QueueFacts>> => {
    const by = await claimedBy({ claims, now: systemClock }, ids)
    return new Map(ids.map((id) => [id, { reportCount: 0, claimedBy: by.get(id) ?? null }]))
  }
})
