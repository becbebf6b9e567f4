import type * as z from 'zod'

/** The longest cursor, in characters. */
export const CURSOR_MAX = 2000

/**
 * Turns a position in a list into a cursor and back. A cursor is opaque, authenticated, and bound to its list and
 * filters; any other cursor throws `invalid_cursor`. The limit is not bound: it may change from page to page.
 */
export type Cursors = {
  seal: (list: string, filters: unknown, position: unknown) => string
  /** The position of a cursor, parsed; undefined where there is no cursor. */
  open: <Schema extends z.ZodType>(
    list: string,
    filters: unknown,
    cursor: string | undefined,
    schema: Schema,
  ) => z.output<Schema> | undefined
}
