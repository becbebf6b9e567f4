import * as z from 'zod'
import type { Account } from '#lib/accounts/account'
import type { Cursors } from '#lib/kernel/cursor'
import { ListingId } from '#lib/kernel/id'
import { answerPage, PageQuery, pageThatFits } from '#lib/kernel/page'
import { querySet } from '#lib/kernel/query-list'
import type { MediaLinks } from '#lib/media/store/media-links'
import { Reference } from '../fields.ts'
import { type Listing, ListingStatus } from '../listing.ts'
import { ListingCounts } from '../listing-counts.ts'
import type { ListingReader } from '../listing-store.ts'
import { viewListing } from './view-listing.ts'

/** The filters of a list of one's own listings: by statuses, or by one reference. */
export const OwnListingsQuery = PageQuery.extend({
  status: querySet(ListingStatus),
  reference: Reference.optional(),
})

/** The number of an agent's listings in each status. */
export const OwnListingCounts = z.object({ counts: ListingCounts })

type Deps = { listings: ListingReader; links: MediaLinks; cursors: Cursors }

/**
 * Lists an agent's own listings, newest first, or the one with a reference. With `status` a page holds the matches among the
 * next `limit` listings.
 */
export async function listOwnListings(
  { listings, links, cursors }: Deps,
  owner: Account,
  { limit, cursor, status, reference }: z.infer<typeof OwnListingsQuery>,
) {
  return answerPage(
    cursors,
    { list: 'own-listings', filters: { agent: owner.id, status, reference }, position: ListingId },
    cursor,
    async (after) => {
      const { items, next } =
        reference === undefined
          ? await listings.byAgent(owner.id, { limit, after })
          : { items: await listWithReference(listings, owner, reference), next: undefined }
      const shown = items.filter((listing) => status === undefined || status.includes(listing.status))
      return pageThatFits(
        { items: shown, next },
        ({ id }) => id,
        (listing) => viewListing(listing, owner, 'owner', links),
      )
    },
  )
}

async function listWithReference(
  listings: ListingReader,
  { id }: Account,
  reference: string,
): Promise<Listing[]> {
  const listing = await listings.byReference(id, reference)
  return listing ? [listing] : []
}
