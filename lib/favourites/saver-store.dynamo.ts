import { shardsOf } from '#lib/dynamo/lists'
import { onTable, type Table } from '#lib/dynamo/table'
import { secondsAfter } from '#lib/kernel/clock'
import { favouriteChangeKey, saversList, saversPieceKey } from './favourite.keys.ts'
import { Saver, type SaverStore } from './savers-piece.ts'

/** Longer than any change can come late. */
const KEPT_SECONDS = 30 * 24 * 60 * 60

/** Opens the savers of listings in the one table. */
export const openSavers = (table: Table): SaverStore => ({
  parts: shardsOf('').length,
  list: async (id, part, { limit, after }) => {
    const [partition = ''] = shardsOf(saversList(id)).slice(part)
    const { items, last } = await table.query({ partition, limit, after, consistent: true })
    const savers = items.map((item) => Saver.parse(item))
    return { items: savers, next: last === undefined ? undefined : savers.at(-1)?.userId }
  },
  markChange: (id, version) => ({
    put: { ...favouriteChangeKey(id, version), kind: 'favourite-change' },
    when: 'absent',
  }),
  addPiece: (piece, now) => ({
    put: {
      ...saversPieceKey(piece.event.id, piece.part, piece.after ?? ''),
      kind: 'savers-piece',
      // Pieces of one part are delivered in order, those of several side by side.
      subject: `${piece.event.id}#${piece.part}`,
      ...piece,
      expiresAtSeconds: Math.floor(secondsAfter(now, KEPT_SECONDS).getTime() / 1000),
    },
    when: 'absent',
  }),
  commit: table.commit,
})

/** The function's savers. */
export const saverStore = onTable(openSavers)
