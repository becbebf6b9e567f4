import { inParallel } from '#lib/kernel/parallel'
import { WriteConflict } from '#lib/kernel/write'
import { type NotifyOfNewestDeps, notifyPersonOfNewest } from '#lib/notifications/notify'
import { notificationsOf } from '#lib/notifications/recipients'
import type { SaverStore, SaversPiece } from './saver-store.ts'

/** The number of savers that the call for one piece notifies. */
const PIECE_SIZE = 100

type Deps = NotifyOfNewestDeps & { savers: SaverStore }

/**
 * Notifies the next hundred savers of a listing, except those who saved it after the event. Stores the next piece, for the
 * savers after them: by the table's stream it reaches this function. A repeated call notifies no saver twice.
 */
export async function notifySavers(
  deps: Deps,
  piece: SaversPiece,
): Promise<{ notified: number; isLast: boolean }> {
  const { event, listingId, shard, after, first } = piece
  const { savers, now } = deps
  const { items, next } = await savers.list(listingId, shard, {
    limit: PIECE_SIZE,
    after: after ?? undefined,
  })
  const earlier = items.filter(({ savedAt }) => savedAt < event.at)
  // Each change of a saved listing makes one kind of notification.
  const [name] = notificationsOf(event)
  if (name) await inParallel(earlier, ({ userId }) => notifyPersonOfNewest(deps, event, userId, name, first))
  if (next !== undefined) await addOnce(savers, savers.addPiece({ ...piece, after: next }, now()))
  return { notified: earlier.length, isLast: next === undefined }
}

/** Adds a piece unless an earlier call has added it. */
async function addOnce(savers: SaverStore, piece: ReturnType<SaverStore['addPiece']>): Promise<void> {
  try {
    await savers.commit([piece])
  } catch (error) {
    if (!(error instanceof WriteConflict)) throw error
  }
}
