import { user } from '#lib/accounts/access'
import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { cursors } from '#lib/dynamo/cursor'
import { favouriteReader } from '#lib/favourites/favourite-store.dynamo'
import { FavouriteView, listFavourites } from '#lib/favourites/list-favourites'
import { endpoint } from '#lib/http/endpoint'
import { clock } from '#lib/http/runtime'
import { PageQuery, pageOf } from '#lib/kernel/page'
import { listingReader } from '#lib/listings/listing-reader.dynamo'
import { publicMediaLinks } from '#lib/media/store/public-media-links'

export const { spec, handler } = endpoint({
  route: 'GET /favourites',
  summary: "The caller's saved listings, newest first",
  description: 'Each comes with the card of its listing, or as GONE while the listing is not public.',
  access: user,
  input: { query: PageQuery },
  output: { 200: pageOf(FavouriteView) },
  problems: ['invalid_cursor'],
  deps: {
    favourites: favouriteReader,
    listings: listingReader,
    accounts: accountReader,
    links: publicMediaLinks,
    cursors,
    now: clock,
  },
  run: ({ actor, query }, deps) => listFavourites(deps, actor.userId, query),
})
