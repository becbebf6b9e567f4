import * as z from 'zod'

/** The most values that a parameter is given with. */
const VALUES_MAX = 50

/** A query parameter that may be repeated, `?status=A&status=B`: the list of its values, without repetitions. */
export const queryList = <Schema extends z.ZodType>(value: Schema, max = VALUES_MAX) =>
  z.preprocess(
    (given) => (given === undefined ? given : [...new Set([given].flat())]),
    z.array(value).max(max).optional(),
  )

/**
 * A list parameter whose order says nothing. Its values are sorted, since a cursor belongs to its filters in whichever order
 * a client names them.
 */
export const querySet = <Value extends string>(value: z.ZodType<Value>) =>
  queryList(value).overwrite((values) => values?.toSorted())
