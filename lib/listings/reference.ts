import { DomainError } from '#lib/kernel/domain-error'
import type { Listing } from './listing.ts'
import type { ListingReader } from './listing-store.ts'

/** Throws `reference_taken` if another listing of the agent, not an archived one, has this listing's reference. */
export async function refuseTakenReference(
  listings: ListingReader,
  { id, agentId, reference }: Pick<Listing, 'id' | 'agentId' | 'reference'>,
): Promise<void> {
  const holder = reference === null ? undefined : await listings.byReference(agentId, reference)
  if (!holder || holder.id === id) return
  throw new DomainError('reference_taken', {
    detail: 'Another listing of yours has this reference',
    extensions: { listingId: holder.id },
  })
}
