import * as z from 'zod'

/** The most values that a parameter is given with. */
const VALUES_MAX = 50

/** A query parameter that may be repeated, `?status=A&status=B`: the list of its values, without repetitions. */
export const queryList = <Schema extends z.ZodType>(value: Schema, max = VALUES_MAX) =>
  z.preprocess(
    (given) => (given === undefined ? given : [...new Set([given].flat())]),
    z.array(value).max(max).optional(),
  )
