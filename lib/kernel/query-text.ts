import * as z from 'zod'

/** A `+` that was not escaped reads as a space in a query: one at the beginning is taken for what was meant. */
const plusAgain = (value: unknown): unknown =>
  typeof value === 'string' ? value.replace(/^ (?=\d)/, '+') : value

/** A telephone number in a query: spaces, dots and hyphens in it are dropped. */
export const queryPhone = <Schema extends z.ZodType>(phone: Schema) =>
  z.preprocess((value) => {
    const given = plusAgain(value)
    return typeof given === 'string' ? given.replace(/[ .-]/g, '') : given
  }, phone)

/** A text in a query that may be a telephone number: spaces, dots and hyphens are dropped where it is one. */
export const queryText = <Schema extends z.ZodType>(text: Schema) =>
  z.preprocess((value) => {
    const given = plusAgain(value)
    return typeof given === 'string' ? bareNumber(given) : given
  }, text)

/** The text as `queryText` reads it: where it looks like a telephone number, without spaces, dots and hyphens. */
export const bareNumber = (text: string): string =>
  /^\+?[\d .-]{6,}$/.test(text) ? text.replace(/[ .-]/g, '') : text
