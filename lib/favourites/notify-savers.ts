import { inParallel } from '#lib/kernel/parallel'
import { WriteConflict } from '#lib/kernel/write'
import { type NotifyDeps, notifyPerson } from '#lib/notifications/notify'
import { notificationsOf } from '#lib/notifications/recipients'
import type { SaverStore, SaversPiece } from './savers-piece.ts'

/** The number of savers that one piece notifies. */
const PIECE = 100

type Deps = NotifyDeps & { savers: SaverStore }

/**
 * Notifies a piece of a listing's savers, and has the next one notified. Who saved the listing after the event is left out.
 * Repeated, it notifies each once.
 */
export async function notifySavers(
  deps: Deps,
  piece: SaversPiece,
): Promise<{ notified: number; isLast: boolean }> {
  const { event, listingId, part, after } = piece
  const { savers, now } = deps
  const { items, next } = await savers.list(listingId, part, { limit: PIECE, after: after ?? undefined })
  const earlier = items.filter(({ savedAt }) => savedAt < event.at)
  const [name] = notificationsOf(event)
  if (name) await inParallel(earlier, ({ userId }) => notifyPerson(deps, event, userId, name))
  if (next !== undefined) await addOnce(savers, savers.addPiece({ ...piece, after: next }, now()))
  return { notified: earlier.length, isLast: next === undefined }
}

/** A piece that an earlier delivery has added is on its way. */
async function addOnce(savers: SaverStore, piece: ReturnType<SaverStore['addPiece']>): Promise<void> {
  try {
    await savers.commit([piece])
  } catch (error) {
    if (!(error instanceof WriteConflict)) throw error
  }
}
