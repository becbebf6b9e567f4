import * as z from 'zod'

const PLAIN = /^-?\d{1,20}(?:\.\d{1,20})?$/

/**
 * A number in a query, in plain digits. Anything else (an empty value, blanks, `0x10`, `1e3`) stays text and is
 * refused. Coercion would make an unintended number of it.
 */
export const queryNumber = <Schema extends z.ZodType<number | undefined>>(number: Schema) =>
  z.preprocess((value) => (typeof value === 'string' && PLAIN.test(value) ? Number(value) : value), number)
