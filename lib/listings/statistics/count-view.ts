import type { AccountReader } from '#lib/accounts/account-store'
import { networkMarks } from '#lib/accounts/throttle/network-address'
import { type Clock, DAY_SECONDS, timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import type { ListingId } from '#lib/kernel/id'
import type { Quotas } from '#lib/kernel/quota'
import type { HmacKeys } from '#lib/kernel/signed-token'
import { WriteConflict } from '#lib/kernel/write'
import type { ListingReader } from '../listing-store.ts'
import { isPublic } from '../read-listing.ts'
import { type ListingCaller, viewerOf } from '../viewer.ts'
import type { StatisticsStore } from './statistics.ts'

const VIEWS = { policy: 'views', limit: 300, windowSeconds: DAY_SECONDS }

type Deps = {
  listings: ListingReader
  accounts: AccountReader
  statistics: StatisticsStore
  quotas: Quotas
  hmacKeys: HmacKeys
  /** The limit of a network, as a multiple of the usual one. */
  networkLimitFactor: number
  now: Clock
}

/**
 * Counts a view of a public listing: once for a network and UTC day, at most 300 a day for a network, never for the
 * owner or an administrator. Of a network only its mark is stored. Throws `not_found`.
 */
export async function countView(
  deps: Deps,
  caller: ListingCaller,
  { ipAddress }: { ipAddress: string },
  id: ListingId,
): Promise<void> {
  const { statistics, quotas, networkLimitFactor, now } = deps
  const listing = await deps.listings.get(id)
  const owner = listing && (await deps.accounts.get(listing.agentId))
  if (!listing || !isPublic(listing, owner, now)) throw new DomainError('not_found')
  if (viewerOf(listing, caller) !== 'customer') return
  const at = timestamp(now())
  const marks = await networkMarks(deps, 'view', ipAddress)
  const [{ mark }] = marks
  try {
    await statistics.commit([
      statistics.markView(id, mark, at),
      ...marks.map((counted) =>
        quotas.count(
          { ...VIEWS, limit: VIEWS.limit * networkLimitFactor * counted.limitFactor },
          counted.mark,
          now(),
        ),
      ),
      // Here the mark only chooses a shard of the counter.
      statistics.count(id, 'views', at, mark),
    ])
  } catch (error) {
    if (!isCountedOrFull(error)) throw error
  }
}

/** Whether the view does not count: the network's view of the listing was counted before, or the network's limit is reached. */
const isCountedOrFull = (error: unknown): boolean =>
  error instanceof WriteConflict || (error instanceof DomainError && error.code === 'too_many_requests')
