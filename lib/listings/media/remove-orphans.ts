import * as z from 'zod'
import { type Clock, DAY_SECONDS, secondsAfter } from '#lib/kernel/clock'
import type { ListingId } from '#lib/kernel/id'
import type { Progress } from '#lib/kernel/progress'
import type { Listing } from '#lib/listings/listing'
import type { ListingReader } from '#lib/listings/listing-store'
import type { ObjectInventory, StoredObject } from '#lib/media/store/object-inventory'
import type { ObjectName } from '#lib/media/store/object-names'
import { publicVariants } from './publish-media.ts'

type Deps = {
  listings: ListingReader
  objects: ObjectInventory
  progress: Progress
  now: Clock
}

const JOB = 'remove-orphans'

/** The age below which an object is left alone: its upload or processing may not be finished. */
const AGE_SECONDS = DAY_SECONDS

/** A run begins no further page of objects after ten minutes; Lambda ends it after fifteen. */
const RUN_SECONDS = 600

/** The job removes nothing when more than this share of the bucket is orphaned: the table may be the wrong one. */
const SHARE_MAX = 0.05

/** Up to this number orphans are removed whatever their share: in a small bucket a few are a large share. */
const ALWAYS_REMOVED = 20

/**
 * The position of a run. The first phase reads the whole bucket and counts the orphans, the second removes them. `looked`
 * and `orphans` are the numbers of objects and of orphans that the phase has read.
 */
const Position = z.object({
  phase: z.enum(['count', 'remove']),
  after: z.string().optional(),
  looked: z.int(),
  orphans: z.int(),
})
type Position = z.infer<typeof Position>

const START: Position = { phase: 'count', looked: 0, orphans: 0 }

/**
 * Removes objects that no listing names: variants of an interrupted processing, public copies of private media, and
 * files that a failed deletion left. An orphan is older than a day, and the listing, read consistently after the object
 * was listed, does not name it. Counts first, and throws if more than 5 % are orphans. A run stops after ten minutes and
 * stores its position; the next run continues there. Returns a summary for the log.
 */
export async function removeOrphans(
  deps: Deps,
): Promise<{ looked: number; removed: ObjectName[]; isDone: boolean }> {
  const { progress, objects, now } = deps
  const endsAt = secondsAfter(now(), RUN_SECONDS)
  const before = secondsAfter(now(), -AGE_SECONDS)
  const removed: ObjectName[] = []
  let position = (await progress.read(JOB, Position)) ?? START
  let lookedNow = 0
  for (;;) {
    for await (const { items, last } of objects.pages(position.after)) {
      const orphans = await listUnnamed(
        deps,
        items.filter(({ modifiedAt }) => modifiedAt <= before),
      )
      lookedNow += items.length
      if (position.phase === 'remove' && orphans.length > 0) {
        await objects.remove(orphans)
        removed.push(...orphans)
      }
      position = advance(position, last, items.length, orphans.length)
      await progress.store(JOB, position)
      if (now() >= endsAt) return { looked: lookedNow, removed, isDone: false }
    }
    // Forgets the position before `refuseTooMany` may throw, so that the next run counts again.
    await progress.finish(JOB)
    const isDone = position.phase === 'remove' || position.orphans === 0
    if (isDone) return { looked: lookedNow, removed, isDone }
    refuseTooMany(position)
    position = { ...START, phase: 'remove' }
  }
}

const advance = (
  { phase, looked, orphans }: Position,
  after: string,
  items: number,
  found: number,
): Position => ({ phase, after, looked: looked + items, orphans: orphans + found })

/** Throws if there are too many orphans. The error raises an alarm: a person must look before anything is removed. */
function refuseTooMany({ looked, orphans }: Position): void {
  if (orphans <= Math.max(ALWAYS_REMOVED, looked * SHARE_MAX)) return
  throw new Error(`${orphans} of ${looked} objects are named by no listing: nothing was removed`)
}

async function listUnnamed({ listings }: Deps, objects: readonly StoredObject[]): Promise<ObjectName[]> {
  const seen = new Map<ListingId, Listing | undefined>()
  const orphans: ObjectName[] = []
  for (const { name: object } of objects) {
    const { listingId } = object.name
    if (!seen.has(listingId)) seen.set(listingId, await listings.get(listingId))
    if (!isNamed(seen.get(listingId), object)) orphans.push(object)
  }
  return orphans
}

function isNamed(listing: Listing | undefined, { kind, name }: ObjectName): boolean {
  const media = listing?.media.find(({ id }) => id === name.mediaId)
  if (!listing || !media) return false
  if (kind === 'original') return media.kind === name.kind
  if (kind === 'variant')
    return media.film === name.hash || media.variants.some(({ hash }) => hash === name.hash)
  return publicVariants(listing).some(
    ({ agentId, mediaId, hash }) =>
      agentId === name.agentId && mediaId === name.mediaId && hash === name.hash,
  )
}
