import { type Clock, secondsAfter } from '#lib/kernel/clock'
import type { ListingId } from '#lib/kernel/id'
import type { Listing } from '#lib/listings/listing'
import type { ListingStore } from '#lib/listings/listing-store'
import type { ObjectInventory, StoredObject } from '#lib/media/store/object-inventory'
import type { ObjectName } from '#lib/media/store/object-names'
import { publicVariants } from './publish-media.ts'

type Deps = { listings: Pick<ListingStore, 'get'>; objects: ObjectInventory; now: Clock }

/** Longer than any upload or processing takes: what is older and named by nobody will never be named. */
const AGE_SECONDS = 24 * 60 * 60

/**
 * Removes what no listing names: originals of uploads that lost a race, variants of a processing that broke off,
 * public copies of what is not public. Deletes only what is older than a day and what the listing, read
 * consistently after the object was seen, does not name; answers which, so that the log proves it.
 */
export async function removeOrphans(deps: Deps): Promise<{ looked: number; removed: ObjectName[] }> {
  const before = secondsAfter(deps.now(), -AGE_SECONDS)
  const removed: ObjectName[] = []
  let looked = 0
  for await (const page of deps.objects.pages()) {
    const old = page.filter(({ modifiedAt }) => modifiedAt <= before)
    const orphans = await unnamed(deps, old)
    if (orphans.length > 0) await deps.objects.remove(orphans)
    removed.push(...orphans)
    looked += page.length
  }
  return { looked, removed }
}

async function unnamed({ listings }: Deps, objects: readonly StoredObject[]): Promise<ObjectName[]> {
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
  if (kind === 'original') return true
  if (kind === 'variant') return media.variants.some(({ hash }) => hash === name.hash)
  return publicVariants(listing).some(
    ({ agentId, mediaId, hash }) =>
      agentId === name.agentId && mediaId === name.mediaId && hash === name.hash,
  )
}
