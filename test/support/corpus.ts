import { idMaker, type UserId } from '#lib/kernel/id'
import { inParallel } from '#lib/kernel/parallel'
import { completeFields, type ListingDraft } from '#lib/listings/fields'
import type { Listing } from '#lib/listings/listing'
import { openListings } from '#lib/listings/listing-store.dynamo'
import { testTable } from './test-table.ts'

const newId = idMaker(() => new Date('2026-11-01T00:00:00.000Z'))

/** A published listing that is found by what it says. */
export function published(agentId: string, draft: ListingDraft, more: Partial<Listing> = {}): Listing {
  const at = more.publishedAt ?? ('2026-11-01T12:00:00.000Z' as Listing['createdAt'])
  return {
    ...completeFields({
      title: 'A place to live',
      description: 'Bright, quiet and close to the market.',
      ...draft,
    }),
    id: newId('listing'),
    agentId: agentId as UserId,
    status: 'PUBLISHED',
    media: [],
    reasons: [],
    message: null,
    note: null,
    revision: null,
    reference: null,
    availability: 'AVAILABLE',
    priceHistory: [],
    version: 3,
    submittedAt: at,
    publishedAt: at,
    createdAt: at,
    updatedAt: at,
    ...more,
  }
}

/** Puts listings and what they are found by straight into the table. */
export async function insertAll(listings: readonly Listing[], table = testTable()): Promise<void> {
  const store = openListings(table)
  await inParallel(listings, (listing) => store.commit(store.insert(listing)), { width: 20 })
}
