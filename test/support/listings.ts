import { timestamp } from '#lib/kernel/clock'
import { type ListingId, newId, UserId } from '#lib/kernel/id'
import { sha256 } from '#lib/kernel/signatures'
import { completeFields } from '#lib/listings/fields'
import type { Listing } from '#lib/listings/listing'
import { openListings } from '#lib/listings/listing-store.dynamo'
import { Media } from '#lib/listings/media/media'
import { testTable } from './test-table.ts'

/** A listing of an agent in whatever state a test wants, as if it had come there long ago. */
export async function aListing(agentId: string, more: Partial<Listing> = {}): Promise<ListingId> {
  const at = timestamp(new Date())
  const id = newId('listing')
  const listing: Listing = {
    ...completeFields({ offer: 'rent', category: 'house', title: 'House by the lagoon' }),
    id,
    agentId: UserId.parse(agentId),
    status: 'PUBLISHED',
    media: [],
    reasons: [],
    message: null,
    note: null,
    revision: null,
    reference: null,
    availability: 'AVAILABLE',
    priceHistory: [],
    version: 1,
    submittedAt: at,
    publishedAt: at,
    createdAt: at,
    updatedAt: at,
    ...more,
  }
  const listings = openListings(testTable())
  await listings.commit(listings.insert(listing))
  return id
}

/** A listing as it is kept. */
export const listingOf = (id: ListingId): Promise<Listing | undefined> => openListings(testTable()).get(id)

/** Everything that a listing needs before it can be submitted. */
export const COMPLETE: Partial<Listing> = {
  ...completeFields({
    offer: 'rent',
    category: 'house',
    title: 'House by the lagoon',
    description: 'Bright, quiet and close to the market.',
    price: { amount: 150_000, currency: 'XOF' },
    location: { country: 'CI', city: 'Abidjan' },
  }),
}

/** An item of a listing's media, a picture that is ready unless told otherwise. */
export const aMedia = (more: Partial<Media> = {}): Media =>
  Media.parse({
    id: newId('media'),
    kind: 'image',
    status: 'READY',
    reason: null,
    contentType: 'image/jpeg',
    bytes: 1_024,
    sha256: sha256(newId('media')),
    width: 24,
    height: 16,
    caption: null,
    placeholder: null,
    variants: [],
    film: null,
    isPending: false,
    pendingCaption: null,
    uploadBefore: null,
    createdAt: timestamp(new Date()),
    ...more,
  })
