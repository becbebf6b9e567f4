import { openTable, type Table } from '#lib/dynamo/table'
import { idMaker, type UserId } from '#lib/kernel/id'
import { completeFields, type ListingDraft } from '#lib/listings/fields'
import type { Listing } from '#lib/listings/listing'
import { openListings } from '#lib/listings/listing-store.dynamo'
import { entryOf } from '#lib/listings/search/search-entry'
import { openSearchIndex } from '#lib/listings/search/search-index.dynamo'

/** The table of a test file. */
export const testTable = (): Table => openTable(process.env['TABLE_NAME'] ?? '')

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
    availability: 'AVAILABLE',
    priceHistory: [],
    indexedAs: newId('searchEntry'),
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
  const [store, index] = [openListings(table), openSearchIndex(table)]
  for (let start = 0; start < listings.length; start += 20) {
    await Promise.all(
      listings.slice(start, start + 20).map(async (listing) => {
        const entry = entryOf(listing)
        if (entry) await index.enter(entry)
        await store.commit([store.insert(listing)])
      }),
    )
  }
}
