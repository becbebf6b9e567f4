import * as z from 'zod'
import type { Cursors } from '#lib/kernel/cursor'
import { ListingId } from '#lib/kernel/id'
import { answerPage, pageThatFits } from '#lib/kernel/page'
import type { MediaLinks } from '#lib/media/store/media-links'
import { ListingCard, PublishedListing } from '../listing-view.ts'
import { viewCard, viewPublished } from '../view-listing.ts'
import { publicOnes } from './public-ones.ts'
import { type Found, SearchPosition, searchListings } from './search-listings.ts'
import { LIMIT_DEFAULT, type SearchQuery, searchOf } from './search-query.ts'

/** A listing of a result: the whole listing, or its card with `view=card`. */
export const FoundListing = z.union([
  PublishedListing.extend({
    distanceKm: z.number().optional().meta({ description: 'With `near`' }),
  }).meta({ id: 'FoundListing' }),
  ListingCard,
])

type Deps = Parameters<typeof searchListings>[0] & { links: MediaLinks; cursors: Cursors }
type Query = z.infer<typeof SearchQuery>

/** Answers a page of a search as customers see it. A cursor belongs to the filters, not to the limit or the view. */
export async function searchPage(deps: Deps, query: Query) {
  const { links, cursors } = deps
  const { ids, view, limit = LIMIT_DEFAULT, cursor } = query
  if (ids) return { items: await named(deps, ids, view), nextCursor: null }
  const search = searchOf(query)
  const list = { list: 'listings', filters: search, position: SearchPosition }
  return answerPage(cursors, list, cursor, async (after) =>
    pageThatFits(
      await searchListings(deps, search, { limit, after }),
      ({ position }) => position,
      (found) => viewFound(found, view, links),
    ),
  )
}

/** The public listings of these ids, in this order and each once. Unknown and malformed ids are left out. */
async function named(deps: Deps, ids: readonly string[], view: Query['view']) {
  const known = [...new Set(ids)].flatMap((id) => ListingId.safeParse(id).data ?? [])
  const shown = await publicOnes(deps, known)
  const found = known.flatMap((id) => shown.get(id) ?? [])
  const { items } = await pageThatFits(
    { items: found, next: undefined },
    ({ listing }) => listing.id,
    ({ listing, owner }) => viewFound({ listing, owner, km: undefined }, view, deps.links),
  )
  return items
}

const viewFound = async (
  { listing, owner, km }: Omit<Found, 'position'>,
  view: Query['view'],
  links: MediaLinks,
) =>
  view === 'card'
    ? viewCard(listing, owner, links, km ?? null)
    : { ...(await viewPublished(listing, owner, links)), ...(km !== undefined && { distanceKm: km }) }
