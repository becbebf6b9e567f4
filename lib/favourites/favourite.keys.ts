import { shardOf } from '#lib/dynamo/lists'
import type { EventId, ListingId, UserId } from '#lib/kernel/id'
import type { Key } from '#lib/kernel/write'

/** The favourites of a person. The same partition holds their number, under `COUNT`. */
export const favouritesQuery = (userId: UserId) => ({
  partition: `FAVOURITES#${userId}`,
  beginsWith: 'LISTING#',
})

export const favouriteKey = (userId: UserId, id: ListingId): Key => ({
  pk: `FAVOURITES#${userId}`,
  sk: `LISTING#${id}`,
})

export const favouriteCountKey = (userId: UserId): Key => ({ pk: `FAVOURITES#${userId}`, sk: 'COUNT' })

/** The savers of a listing, spread over shards that are notified in parallel. */
export const saversList = (id: ListingId): string => `SAVERS#${id}`

export const saverKey = (id: ListingId, userId: UserId): Key => ({
  pk: `${saversList(id)}#${shardOf(userId)}`,
  sk: userId,
})

/** The last change of a listing that was announced to its savers. */
export const favouriteChangeKey = (id: ListingId): Key => ({ pk: `FAVOURITE-CHANGES#${id}`, sk: 'LAST' })

/** Some of a listing's savers, to be notified by one call, see `SaversPiece`. */
export const saversPieceKey = (event: EventId, shard: number, after: string): Key => ({
  pk: `SAVERS-PIECES#${event}`,
  sk: `${shard}#${after}`,
})
