import * as z from 'zod'
import { CURSOR_MAX } from './cursor.ts'
import { queryNumber } from './query-number.ts'

/** What every list takes: `?limit=` 1 to 100, 20 by default, and the `?cursor=` of the page before. */
export const PageQuery = z.object({
  limit: queryNumber(z.number().int().min(1).max(100).default(20)),
  // One that is too long to be ours is refused as any other that is not: `invalid_cursor`.
  cursor: z.string().optional().meta({ maxLength: CURSOR_MAX }),
})

/** What every list answers: a page may hold fewer than `limit`, even none; only `nextCursor: null` is the end. */
export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), nextCursor: z.string().nullable() })

/** Lambda hands on 6 MB at most; the rest is for the envelope. */
const ANSWER_BYTES = 5_500_000

/**
 * As many views, in order, as one answer can carry, and at least one: listings with many pictures are large, and a
 * page may be short. Whoever is given fewer than there are goes on after the last of them.
 */
export async function viewsThatFit<Item, View>(
  items: readonly Item[],
  viewOf: (item: Item) => Promise<View>,
): Promise<View[]> {
  const views: View[] = []
  let bytes = 0
  for (const item of items) {
    const view = await viewOf(item)
    // Lambda counts the answer with its body quoted once more.
    bytes += Buffer.byteLength(JSON.stringify(JSON.stringify(view)))
    if (bytes > ANSWER_BYTES && views.length > 0) break
    views.push(view)
  }
  return views
}

/** A page as a store yields it; `next` says where the following one begins, undefined at the end. */
export type Page<Item, Position> = { items: Item[]; next: Position | undefined }
