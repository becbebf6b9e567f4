import { onTable, type Table } from '#lib/dynamo/table'
import { DomainError } from '#lib/kernel/domain-error'
import { favouriteCountKey, favouriteKey, favouritesQuery, saverKey } from './favourite.keys.ts'
import { FAVOURITES_MAX, Favourite, type FavouriteReader, type FavouriteStore } from './favourite.ts'

/** Opens the favourites in the one table. */
export const openFavourites = (table: Table): FavouriteStore => ({
  get: async (userId, id) => {
    const item = await table.get(favouriteKey(userId, id))
    return item && Favourite.parse(item)
  },
  ofUser: async (userId) => {
    const items = await table.queryAll({ ...favouritesQuery(userId), consistent: true })
    const order = ({ savedAt, listingId }: Favourite) => `${savedAt}#${listingId}`
    return items
      .map((item) => Favourite.parse(item))
      .sort((one, other) => (order(one) < order(other) ? 1 : -1))
  },
  insert: (favourite) => {
    const { userId, listingId } = favourite
    return [
      table.put({ ...favouriteKey(userId, listingId), kind: 'favourite', ...favourite }, { when: 'absent' }),
      table.put({ ...saverKey(listingId, userId), kind: 'saver', userId, savedAt: favourite.savedAt }),
      table.update(favouriteCountKey(userId), {
        set: { kind: 'favourite-count' },
        add: { count: 1 },
        when: { absentOrBelow: { attribute: 'count', value: FAVOURITES_MAX } },
        otherwise: () =>
          new DomainError('favourite_limit_reached', { detail: `There may be ${FAVOURITES_MAX} favourites` }),
      }),
    ]
  },
  remove: ({ userId, listingId, savedAt }) => [
    table.remove(favouriteKey(userId, listingId), { when: { equals: { savedAt } } }),
    table.remove(saverKey(listingId, userId)),
    table.update(favouriteCountKey(userId), { set: {}, add: { count: -1 } }),
  ],
  commit: table.commit,
})

/** The favourites as a dependency. */
export const favourites = onTable(openFavourites, { reads: ['FAVOURITES'], writes: ['FAVOURITES', 'SAVERS'] })

export const favouriteReader = onTable((table): FavouriteReader => openFavourites(table), {
  reads: ['FAVOURITES'],
})
