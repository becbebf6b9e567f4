import * as z from 'zod'
import type { AccountReader } from '#lib/accounts/account-store'
import { type Clock, Timestamp } from '#lib/kernel/clock'
import type { Cursors } from '#lib/kernel/cursor'
import { ListingId, type UserId } from '#lib/kernel/id'
import { Money } from '#lib/kernel/money'
import { answerPage, type PageQuery, pageThatFits } from '#lib/kernel/page'
import type { ListingReader } from '#lib/listings/listing-store'
import { publicOnes } from '#lib/listings/search/public-ones'
import { ListingCard } from '#lib/listings/views/listing-view'
import { viewCard } from '#lib/listings/views/view-listing'
import type { PublicMediaLinks } from '#lib/media/store/media-links'
import type { Favourite, FavouriteReader } from './favourite.ts'

/** A saved listing while customers cannot see it. */
const GoneListing = z
  .object({ view: z.literal('gone'), id: ListingId, status: z.literal('GONE') })
  .meta({ id: 'GoneListing' })

export const FavouriteView = z
  .object({
    listing: z.discriminatedUnion('view', [ListingCard, GoneListing]),
    savedAt: Timestamp,
    savedPrice: Money.meta({ description: 'The price when it was saved' }),
  })
  .meta({ id: 'Favourite' })

const Position = z.object({ savedAt: Timestamp, listingId: ListingId })

type Deps = {
  favourites: FavouriteReader
  listings: ListingReader
  accounts: AccountReader
  links: PublicMediaLinks
  cursors: Cursors
  now: Clock
}

/**
 * Lists a person's favourites, newest first, with their listings' cards: one query, one read of listings and one of agents.
 * A page ends early where its cards would be too large for one answer.
 */
export const listFavourites = (
  deps: Deps,
  userId: UserId,
  { limit, cursor }: z.output<typeof PageQuery>,
): Promise<{ items: z.input<typeof FavouriteView>[]; nextCursor: string | null }> =>
  answerPage(
    deps.cursors,
    { list: `favourites of ${userId}`, filters: {}, position: Position },
    cursor,
    async (after) => {
      const all = await deps.favourites.ofUser(userId)
      const left = after ? all.filter((favourite) => isAfter(favourite, after)) : all
      const items = left.slice(0, limit)
      const last = items.at(-1)
      const shown = await publicOnes(
        deps,
        items.map(({ listingId }) => listingId),
      )
      return pageThatFits(
        { items, next: last && left.length > limit ? positionOf(last) : undefined },
        positionOf,
        async ({ listingId, savedAt, savedPrice }) => {
          const found = shown.get(listingId)
          const listing = found
            ? viewCard(found.listing, found.owner, deps.links)
            : { view: 'gone' as const, id: listingId, status: 'GONE' as const }
          return { listing, savedAt, savedPrice }
        },
      )
    },
  )

const positionOf = ({ savedAt, listingId }: Favourite) => ({ savedAt, listingId })

const isAfter = ({ savedAt, listingId }: Favourite, position: z.output<typeof Position>): boolean =>
  savedAt < position.savedAt || (savedAt === position.savedAt && listingId < position.listingId)
