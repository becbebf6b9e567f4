import * as z from 'zod'

/** Restores a `+` at the beginning, which a query that does not escape it turns into a space. */
const restorePlus = (value: unknown): unknown =>
  typeof value === 'string' ? value.replace(/^ (?=[ .-]*\d)/, '+') : value

/** A telephone number in a query: spaces, dots and hyphens in it are dropped. */
export const queryPhone = <Schema extends z.ZodType>(phone: Schema) =>
  z.preprocess((value) => {
    const given = restorePlus(value)
    return typeof given === 'string' ? given.replace(/[ .-]/g, '') : given
  }, phone)

/** A text in a query that may be a telephone number: spaces, dots and hyphens are dropped where it is one. */
export const queryText = <Schema extends z.ZodType>(text: Schema) =>
  z.preprocess((value) => {
    const given = restorePlus(value)
    return typeof given === 'string' ? bareNumber(given) : given
  }, text)

/** Returns the text as `queryText` reads it: where it looks like a telephone number, without spaces, dots and hyphens. */
export const bareNumber = (text: string): string =>
  /^\+?[\d .-]{6,}$/.test(text) ? text.replace(/[ .-]/g, '') : text
