import type { ListingId, UserId } from '#lib/kernel/id'
import { isOnline, type Listing } from '#lib/listings/listing'
import type { ListingReader } from '#lib/listings/listing-store'
import type { PublicName } from '#lib/media/store/media-links'
import type { VariantStore } from '#lib/media/store/variant-store'

/** The store's part that copies variants to where customers see them. */
export type VariantPublisher = Pick<VariantStore, 'published' | 'publish' | 'withdraw'>

type Deps = { listings: ListingReader; variants: VariantPublisher }

/** Returns the variants that customers may see: of an online listing, those of READY media that are not pending. */
export const publicVariants = (listing: Listing): PublicName[] => {
  const { id: listingId, agentId, media } = listing
  if (!isOnline(listing)) return []
  const names = media
    .filter((item) => item.status === 'READY' && !item.isPending)
    .flatMap(({ id: mediaId, variants, film }) => {
      const hashes = [...variants.map(({ hash }) => hash), ...(film === null ? [] : [film])]
      return hashes.map((hash) => ({ agentId, listingId, mediaId, hash }))
    })
  // Two variants of an item may be the same bytes, which have one name.
  return [...new Map(names.map((name) => [pathOf(name), name])).values()]
}

/**
 * Makes exactly those variants public that the listing shows. Then reads the listing again, and starts over if it has
 * changed: of simultaneous runs the last one publishes the newest listing.
 */
export async function publishMedia(
  { listings, variants }: Deps,
  agentId: UserId,
  id: ListingId,
): Promise<{ published: number; withdrawn: number }> {
  for (let published = 0, withdrawn = 0; ; ) {
    const [listing, shown] = await Promise.all([listings.get(id), variants.published(agentId, id)])
    const wanted = listing ? publicVariants(listing) : []
    const surplus = without(shown, wanted)
    const missing = without(wanted, shown)
    if (surplus.length + missing.length === 0) return { published, withdrawn }
    if (surplus.length > 0) await variants.withdraw(surplus)
    const copies = await Promise.allSettled(missing.map(variants.publish))
    const failures: unknown[] = copies.flatMap((copy) => (copy.status === 'rejected' ? [copy.reason] : []))
    published += copies.length - failures.length
    withdrawn += surplus.length
    // Where the listing has changed, the bytes that could not be copied may have been deleted with their item.
    if ((await listings.get(id))?.version !== listing?.version) continue
    if (failures.length > 0) throw failures[0]
    return { published, withdrawn }
  }
}

function without(names: readonly PublicName[], others: readonly PublicName[]): PublicName[] {
  const known = new Set(others.map(pathOf))
  return names.filter((name) => !known.has(pathOf(name)))
}

const pathOf = ({ mediaId, hash }: PublicName): string => `${mediaId}/${hash}`
