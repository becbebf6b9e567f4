import {
  type Clock,
  HOUR_SECONDS,
  MINUTE_SECONDS,
  secondsAfter,
  timestamp,
  withDaysBefore,
} from '#lib/kernel/clock'
import type { NewId } from '#lib/kernel/id'
import { inParallel } from '#lib/kernel/parallel'
import type { ListingStore } from '#lib/listings/listing-store'
import type { OriginalStore } from '#lib/media/store/original-store'
import { originalOf } from './media.ts'
import { settle } from './process-media.ts'
import type { WaitingEntry, WaitingMedia } from './waiting-media.ts'

type Deps = {
  listings: ListingStore
  originals: Pick<OriginalStore, 'size' | 'announceAgain'>
  waiting: WaitingMedia
  now: Clock
  newId: NewId
}

/** The number of past days whose items the job reads, in case it did not run. */
const DAYS_BACK = 7

/** The job leaves younger items alone: they may still be processed. */
const PROCESSING_SECONDS = 10 * MINUTE_SECONDS
/** An item is REJECTED when its bytes have not arrived for so long, or have had no outcome for so long. */
const GIVE_UP_SECONDS = HOUR_SECONDS

/**
 * Ends the wait of media that stay in PROCESSING. An upload that never arrived is REJECTED after an hour. Bytes that
 * did arrive are announced again, since the first message may be lost; without an outcome they are REJECTED an hour after
 * they could last arrive. A failure of one item is thrown once the others are done. Safe to repeat.
 */
export async function expireUploads(
  deps: Deps,
): Promise<Record<'rejected' | 'announced' | 'untouched', number>> {
  const now = deps.now()
  const until = timestamp(secondsAfter(now, -PROCESSING_SECONDS))
  const days = withDaysBefore(now, DAYS_BACK)
  const entries = (await inParallel(days, (day) => deps.waiting.ofDay(day, until))).flat()
  const count = { rejected: 0, announced: 0, untouched: 0 }
  // One at a time: items of one listing would conflict.
  for (const outcome of await inParallel(entries, (entry) => endWait(deps, entry, now), { width: 1 }))
    count[outcome] += 1
  return count
}

async function endWait(
  deps: Deps,
  entry: WaitingEntry,
  now: Date,
): Promise<'rejected' | 'announced' | 'untouched'> {
  const { listingId, mediaId, since } = entry
  const listing = await deps.listings.get(listingId)
  const media = listing?.media.find(({ id }) => id === mediaId)
  if (media?.status !== 'PROCESSING') {
    await deps.listings.commit([deps.waiting.leave(entry)])
    return 'untouched'
  }
  const hasArrived = (await deps.originals.size(originalOf(listingId, media))) !== undefined
  // An upload may have arrived in the last moment of its hour, and has an hour to be processed then.
  const waitsSince = hasArrived ? (media.uploadBefore ?? since) : since
  const isOver = waitsSince <= timestamp(secondsAfter(now, -GIVE_UP_SECONDS))
  if (isOver) {
    const reason = hasArrived ? 'processing_failed' : 'upload_expired'
    await settle(deps, { listingId, mediaId }, { status: 'REJECTED', reason })
    return 'rejected'
  }
  if (!hasArrived) return 'untouched'
  await deps.originals.announceAgain(originalOf(listingId, media), media.contentType)
  return 'announced'
}
