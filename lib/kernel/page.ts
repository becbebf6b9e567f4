import * as z from 'zod'
import { CURSOR_MAX, type Cursors } from './cursor.ts'
import { queryNumber } from './query-number.ts'

/** The query of every list: `?limit=` 1 to 100, 20 by default, and the `?cursor=` of the page before. */
export const PageQuery = z.object({
  limit: queryNumber(z.number().int().min(1).max(100).default(20)),
  // A cursor that is too long is refused by the reader of cursors, as `invalid_cursor`.
  cursor: z.string().optional().meta({ maxLength: CURSOR_MAX }),
})

/** A page of a list. It may hold fewer items than `limit`, even none; only `nextCursor: null` is the end. */
export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), nextCursor: z.string().nullable() })

/** Lambda returns 6 MB at most; the rest is for the envelope. */
const ANSWER_BYTES = 5_500_000

/**
 * Returns the views of a page that fit into one answer, in order, and at least one: listings with many pictures are
 * large. If not all of them fit, the next page begins after the last that does.
 */
export async function pageThatFits<Item, Position, View>(
  { items, next }: Page<Item, Position>,
  positionOf: (item: Item) => Position,
  viewOf: (item: Item) => Promise<View>,
): Promise<Page<View, Position>> {
  const views = await viewsThatFit(items, viewOf)
  const last = items[views.length - 1]
  return { items: views, next: last && views.length < items.length ? positionOf(last) : next }
}

async function viewsThatFit<Item, View>(
  items: readonly Item[],
  viewOf: (item: Item) => Promise<View>,
): Promise<View[]> {
  const views: View[] = []
  let bytes = 0
  for (const item of items) {
    const view = await viewOf(item)
    // Lambda counts the answer with its body quoted as a JSON string.
    bytes += Buffer.byteLength(JSON.stringify(JSON.stringify(view)))
    if (bytes > ANSWER_BYTES && views.length > 0) break
    views.push(view)
  }
  return views
}

/** A page as a store yields it; `next` says where the following one begins, undefined at the end. */
export type Page<Item, Position> = { items: Item[]; next: Position | undefined }

/** The number of items that are read for a page with a filter. */
export const FILTERED_READ_MAX = 100

/** Returns the matching items of a page, at most `limit`. If more match, the next page begins after the last one shown. */
export function matchesOf<Item, Position>(
  { items, next }: Page<Item, Position>,
  limit: number,
  positionOf: (item: Item) => Position,
  matches: (item: Item) => boolean,
): Page<Item, Position> {
  const matching = items.filter(matches)
  const shown = matching.slice(0, limit)
  const last = shown.at(-1)
  return { items: shown, next: last && shown.length < matching.length ? positionOf(last) : next }
}

/** A list that is answered in pages: its name and filters, to which a cursor belongs, and what a position in it is. */
type PagedList<Position extends z.ZodType> = { list: string; filters: unknown; position: Position }

/** Returns the page of a list that a cursor names; without a cursor the first one. Throws `invalid_cursor`. */
export async function answerPage<Item, const Position extends z.ZodType>(
  cursors: Cursors,
  { list, filters, position }: PagedList<Position>,
  cursor: string | undefined,
  read: (after: z.output<Position> | undefined) => Promise<Page<Item, z.output<Position>>>,
): Promise<{ items: Item[]; nextCursor: string | null }> {
  const { items, next } = await read(cursors.open(list, filters, cursor, position))
  return { items, nextCursor: next === undefined ? null : cursors.seal(list, filters, next) }
}

/** The number of items that a walk through a whole list reads at once. */
export const PAGE_SIZE = 100

/** Reads a list to its end, page by page. */
export async function allPages<Item, Position>(
  read: (after: Position | undefined) => Promise<Page<Item, Position>>,
): Promise<Item[]> {
  const found: Item[] = []
  let after: Position | undefined
  for (;;) {
    const { items, next } = await read(after)
    found.push(...items)
    if (next === undefined) return found
    after = next
  }
}
