import { isEligibleToPublish } from '#lib/accounts/account'
import type { AccountReader } from '#lib/accounts/account-store'
import { announce, DomainEvent } from '#lib/events/event'
import type { Announcement } from '#lib/events/event-types'
import type { Clock } from '#lib/kernel/clock'
import type { NewId } from '#lib/kernel/id'
import { retryConflicts } from '#lib/kernel/retry'
import { isOnline, Listing } from '#lib/listings/listing'
import type { FavouriteChange, Reduction, SaverStore } from './saver-store.ts'

type Deps = {
  savers: SaverStore
  accounts: AccountReader
  now: Clock
  newId: NewId
}

/**
 * Announces that a saved listing became cheaper while public, or is no longer public. Stores a piece of work for each
 * shard of its savers; `notifySavers` receives each piece and notifies its savers. A repeated call announces nothing again,
 * nor does one for an older change than the last.
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
  if (isSeen) await retryConflicts(() => announceOnce(deps, after, changed))
}

async function announceOnce(deps: Deps, after: Listing, changed: FavouriteChange): Promise<void> {
  const { savers, now, newId } = deps
  const { id: subject, agentId, version } = after
  const announced = await savers.announcedChange(subject)
  if (announced && announced.version >= version) return
  // The time of the change, not of its delivery: savers are notified only if they saved the listing before the change.
  const [id, at] = [newId('event'), after.updatedAt]
  const last = announced?.reduction ?? null
  const { change, from, to } = changed
  const reduction = change === 'PRICE_REDUCED' ? reductionAfter(last, { first: id, at, from, to }) : null
  if (change === 'PRICE_REDUCED' && reduction === null) return
  const data = { agentId, change, from: reduction?.from ?? null, to }
  const announcement: Announcement = { id, type: 'favourite.changed', subject, at, data }
  const piece = {
    event: DomainEvent.parse(announcement),
    listingId: subject,
    // A piece begins with the first saver of its shard.
    after: null,
    first: reduction?.first ?? id,
  }
  const pieces = Array.from({ length: savers.shardCount }, (_, shard) =>
    savers.addPiece({ ...piece, shard }, now()),
  )
  await savers.commit([
    savers.setAnnouncedChange(subject, announced, { version, reduction: reduction ?? last }),
    announce(announcement),
    ...pieces,
  ])
}

/**
 * Returns the reductions of a day after another one; null if savers are not notified of it. A price that is not below the
 * last one that they were notified of is no reduction. Prices of a second currency on one day do not compare with the first.
 */
function reductionAfter(last: Reduction | null, next: Reduction): Reduction | null {
  if (last === null) return next
  const isSameDay = last.at.slice(0, 10) === next.at.slice(0, 10)
  const isSameCurrency = last.to.currency === next.to.currency
  if (!isSameCurrency) return isSameDay ? null : next
  if (next.to.amount >= last.to.amount) return null
  return isSameDay ? { ...last, to: next.to } : next
}

/** Returns the change that savers are notified of; undefined if they are not notified. */
function favouriteChange(before: Listing, after: Listing): FavouriteChange | undefined {
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
