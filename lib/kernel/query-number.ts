import * as z from 'zod'

const PLAIN = /^-?\d{1,20}(?:\.\d{1,20})?$/

/**
 * A number in a query, in plain digits. Whatever else a client may send there, nothing at all, blanks, `0x10` or
 * `1e3`, stays text and is refused, where coercion would make a number of it that nobody meant.
 */
export const queryNumber = <Schema extends z.ZodType<number | undefined>>(number: Schema) =>
  z.preprocess((value) => (typeof value === 'string' && PLAIN.test(value) ? Number(value) : value), number)
