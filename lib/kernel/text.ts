import * as z from 'zod'

/**
 * A bounded piece of text: trimmed, well-formed Unicode without control characters other than line
 * breaks and tabs, its length counted in code points as JSON Schema counts it.
 */
export const text = ({ min = 1, max }: { min?: number; max: number }) =>
  z
    .string()
    .trim()
    .superRefine((value, context) => {
      // No character has more than two units: what is over both bounds need not be counted.
      const length = value.length > 2 * max ? value.length : [...value].length
      if (length < min) {
        context.addIssue({ code: 'too_small', origin: 'string', minimum: min, input: value })
      } else if (length > max) {
        context.addIssue({ code: 'too_big', origin: 'string', maximum: max, input: value })
      } else if (!value.isWellFormed() || UNPRINTABLE.test(value)) {
        context.addIssue({ code: 'custom', message: 'must not contain control characters', input: value })
      }
    })
    .meta({ minLength: min, maxLength: max })

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what the pattern is for
const UNPRINTABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/

/** A text that is kept as it comes, white space and control characters included: only half a character is refused. */
export const plainText = ({ min = 0, max }: { min?: number; max: number }) =>
  z.string().min(min).max(max).refine(isWhole, HALF_CHARACTER)

/** A web address of at most `max` characters. */
export const webAddress = ({ max }: { max: number }) =>
  z
    .url({ protocol: /^https?$/ })
    .max(max)
    .refine(isWhole, HALF_CHARACTER)

const isWhole = (value: string): boolean => value.isWellFormed()
const HALF_CHARACTER = 'must be well-formed Unicode'
