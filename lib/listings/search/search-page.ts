import * as z from 'zod'
import type { Cursors } from '#lib/kernel/cursor'
import { ListingId } from '#lib/kernel/id'
import { pageOf, pageThatFits } from '#lib/kernel/page'
import type { PublicMediaLinks } from '#lib/media/store/media-links'
import { ListingCard, PublishedListing } from '../views/listing-view.ts'
import { viewCard, viewPublished } from '../views/view-listing.ts'
import { filtersOf } from './filters.ts'
import { publicOnes } from './public-ones.ts'
import { SearchPosition } from './read-page.ts'
import { type Found, searchListings } from './search-listings.ts'
import { LIMIT_DEFAULT, type SearchQuery } from './search-query.ts'

/** A page of a search: listings, or their cards with `view=card`. */
export const SearchPage = pageOf(z.discriminatedUnion('view', [PublishedListing, ListingCard])).extend({
  total: z.int().meta({
    example: 12,
    description: 'The number of matches, 10,000 at most; with `ids` the number of items',
  }),
})

type Deps = Parameters<typeof searchListings>[0] & { links: PublicMediaLinks; cursors: Cursors }
type Query = z.infer<typeof SearchQuery>

/** Answers a page of a search as customers see it. A cursor belongs to the filters and the order. */
export async function searchPage(deps: Deps, query: Query): Promise<z.input<typeof SearchPage>> {
  const { links, cursors } = deps
  const { ids, view, limit = LIMIT_DEFAULT, cursor, sort, ...given } = query
  if (ids) return findByIds(deps, ids, view)
  const filters = filtersOf(given)
  const search = { filters, order: sort ?? (filters.near ? 'distance' : 'newest') } as const
  const after = cursors.open('listings', search, cursor, SearchPosition)
  const { total, ...page } = await searchListings(deps, search, { limit, after })
  // A page ends early where it would exceed the size of an answer.
  const { items, next } = await pageThatFits(
    page,
    ({ position }) => position,
    (found) => viewFound(found, view, links),
  )
  return { items, nextCursor: next === undefined ? null : cursors.seal('listings', search, next), total }
}

/**
 * Returns the public listings of these ids, in this order and each once. Unknown and malformed ids are left out, and so are
 * the last listings where an answer cannot hold all.
 */
async function findByIds(deps: Deps, ids: readonly string[], view: Query['view']) {
  const known = [...new Set(ids)].flatMap((id) => ListingId.safeParse(id).data ?? [])
  const shown = await publicOnes(deps, known)
  const found = known.flatMap((id) => shown.get(id) ?? [])
  const { items } = await pageThatFits(
    { items: found, next: undefined },
    ({ listing }) => listing.id,
    ({ listing, owner }) => viewFound({ listing, owner, km: null }, view, deps.links),
  )
  return { items, nextCursor: null, total: items.length }
}

const viewFound = async (
  { listing, owner, km }: Omit<Found, 'position'>,
  view: Query['view'],
  links: PublicMediaLinks,
) => (view === 'card' ? viewCard(listing, owner, links, km) : viewPublished(listing, owner, links, km))
