import { isEligibleToPublish } from '#lib/accounts/account'
import type { AccountStore } from '#lib/accounts/account-store'
import { announce, DomainEvent } from '#lib/events/event'
import type { Announcement } from '#lib/events/event-types'
import type { Clock } from '#lib/kernel/clock'
import type { NewId } from '#lib/kernel/id'
import { WriteConflict } from '#lib/kernel/write'
import { isOnline, Listing } from '#lib/listings/listing'
import type { FavouriteChange, SaverStore } from './saver-store.ts'

type Deps = {
  savers: Pick<SaverStore, 'shardCount' | 'list' | 'markChange' | 'addPiece' | 'commit'>
  accounts: Pick<AccountStore, 'get'>
  now: Clock
  newId: NewId
}

/**
 * Announces that a saved listing became cheaper while public, or is no longer public. Stores a piece of work for each
 * shard of its savers; `notifySavers` receives each piece and notifies its savers. A repeated call announces nothing again.
 */
export async function followFavourites(
  deps: Deps,
  change: { before: unknown; after: unknown },
): Promise<void> {
  const before = Listing.safeParse(change.before).data
  const after = Listing.safeParse(change.after).data
  const changed = before && after && favouriteChange(before, after)
  if (!changed || !(await isSaved(deps, after))) return
  // Until they are suspended, the listings of an agent who is no longer eligible are published, but not public.
  const isSeen = changed.change !== 'PRICE_REDUCED' || (await hasEligibleAgent(deps, after))
  if (!isSeen) return
  const { savers, now, newId } = deps
  const { id: subject, agentId } = after
  const announcement: Announcement = {
    id: newId('event'),
    type: 'favourite.changed',
    subject,
    // The time of the change, not of its delivery: savers are notified only if they saved the listing before the change.
    at: after.updatedAt,
    data: { agentId, ...changed },
  }
  const event = DomainEvent.parse(announcement)
  // A piece begins with the first saver of its shard.
  const pieces = Array.from({ length: savers.shardCount }, (_, shard) =>
    savers.addPiece({ event, listingId: subject, shard, after: null }, now()),
  )
  try {
    await savers.commit([savers.markChange(subject, after.version), announce(announcement), ...pieces])
  } catch (error) {
    // Another delivery of the same change has announced it.
    if (!(error instanceof WriteConflict)) throw error
  }
}

/** Returns the change that savers are notified of; undefined if they are not notified. */
export function favouriteChange(before: Listing, after: Listing): FavouriteChange | undefined {
  if (!isOnline(before)) return undefined
  if (!isOnline(after)) {
    const isTaken = after.status === 'PUBLISHED' && after.availability === 'TAKEN'
    return { change: isTaken ? 'TAKEN' : 'GONE', from: null, to: null }
  }
  const [from, to] = [before.price, after.price]
  const isReduced = from && to && from.currency === to.currency && to.amount < from.amount
  return isReduced ? { change: 'PRICE_REDUCED', from, to } : undefined
}

async function hasEligibleAgent({ accounts, now }: Deps, { agentId }: Listing): Promise<boolean> {
  const agent = await accounts.get(agentId)
  return agent !== undefined && isEligibleToPublish(agent, now())
}

async function isSaved({ savers }: Deps, { id }: Listing): Promise<boolean> {
  const first = { limit: 1, after: undefined }
  const shards = Array.from({ length: savers.shardCount }, (_, shard) => savers.list(id, shard, first))
  return (await Promise.all(shards)).some(({ items }) => items.length > 0)
}
