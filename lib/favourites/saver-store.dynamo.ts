import { shardsOf } from '#lib/dynamo/lists'
import { onTable, type Table } from '#lib/dynamo/table'
import { DAY_SECONDS, secondsAfter, unixSeconds } from '#lib/kernel/clock'
import { favouriteChangeKey, saversList, saversPieceKey } from './favourite.keys.ts'
import { AnnouncedChange, Saver, type SaverStore } from './saver-store.ts'

/** The time for which a piece is stored: longer than the stream can delay its delivery. */
const KEPT_SECONDS = 30 * DAY_SECONDS

/** Opens the savers of listings in the one table. */
export const openSavers = (table: Table): SaverStore => ({
  // Every list has the same number of shards.
  shardCount: shardsOf('').length,
  list: async (id, shard, { limit, after }) => {
    const partition = shardsOf(saversList(id)).at(shard) ?? ''
    const { items, last } = await table.query({ partition, limit, after, consistent: true })
    const savers = items.map((item) => Saver.parse(item))
    return { items: savers, next: last === undefined ? undefined : savers.at(-1)?.userId }
  },
  announcedChange: async (id) => {
    const item = await table.get(favouriteChangeKey(id))
    return item && AnnouncedChange.parse(item)
  },
  setAnnouncedChange: (id, seen, next) =>
    table.put(
      { ...favouriteChangeKey(id), kind: 'favourite-change', ...next },
      { when: seen ? { equals: { version: seen.version } } : 'absent' },
    ),
  addPiece: (piece, now) =>
    table.put(
      {
        ...saversPieceKey(piece.event.id, piece.shard, piece.after ?? ''),
        kind: 'savers-piece',
        // Pieces of one shard are delivered in order, those of several shards in parallel.
        subject: `${piece.event.id}#${piece.shard}`,
        ...piece,
        expiresAtSeconds: unixSeconds(secondsAfter(now, KEPT_SECONDS)),
      },
      { when: 'absent' },
    ),
  commit: table.commit,
})

/** The savers of listings as a dependency. */
export const savers = onTable(openSavers, {
  reads: ['FAVOURITE-CHANGES', 'SAVERS'],
  writes: ['FAVOURITE-CHANGES', 'SAVERS-PIECES'],
})
