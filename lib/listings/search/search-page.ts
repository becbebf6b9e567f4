import * as z from 'zod'
import type { Cursors } from '#lib/kernel/cursor'
import { answerPage, pageThatFits } from '#lib/kernel/page'
import type { MediaLinks } from '#lib/media/store/media-links'
import { ListingView } from '../listing-view.ts'
import { viewListing } from '../view-listing.ts'
import { SearchPosition, searchListings } from './search-listings.ts'
import { type SearchQuery, searchOf } from './search-query.ts'

/** A listing as a search shows it. */
export const FoundListing = ListingView.extend({
  distanceKm: z.number().optional().meta({ description: 'With `near`' }),
}).meta({ id: 'FoundListing' })

type Deps = Parameters<typeof searchListings>[0] & { links: MediaLinks; cursors: Cursors }

/** A page of a search as customers see it. The cursor belongs to what was asked for, not to the limit. */
export async function searchPage(deps: Deps, query: z.infer<typeof SearchQuery>) {
  const { cursors, links } = deps
  const { limit, cursor } = query
  const search = searchOf(query)
  const list = { list: 'listings', filters: search, position: SearchPosition }
  return answerPage(cursors, list, cursor, async (after) =>
    pageThatFits(
      await searchListings(deps, search, { limit, after }),
      ({ position }) => position,
      async ({ listing, owner, km }) => ({
        ...(await viewListing(listing, owner, 'customer', links)),
        ...(km !== undefined && { distanceKm: km }),
      }),
    ),
  )
}
