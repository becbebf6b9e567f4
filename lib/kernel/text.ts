import * as z from 'zod'

/**
 * A bounded text: trimmed, well-formed Unicode without control characters other than line breaks and tabs. Its length
 * counts code points, as JSON Schema does.
 */
export const text = ({ min = 1, max }: { min?: number; max: number }) =>
  z
    .string()
    .trim()
    .superRefine((value, context) => {
      // A code point has at most two units: a text of more than twice as many units is too long without counting.
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

/**
 * A name that others read: a bounded text of one line that holds a letter, or a digit where that is enough. It has no
 * control, direction or invisible characters and nothing that a mail program turns into a link.
 */
export const nameLine = ({ max, needs = 'letter' }: { max: number; needs?: 'letter' | 'letter or digit' }) =>
  text({ max })
    .superRefine((value, context) => {
      const fault = faultOfName(value, needs)
      if (fault) context.addIssue({ code: 'custom', message: fault, input: value })
    })
    .meta({ minLength: 1, maxLength: max })

function faultOfName(name: string, needs: 'letter' | 'letter or digit'): string | undefined {
  if (holdsInvisible(name.replace(JOINERS_IN_WORDS, ''))) {
    return 'must be one line without control, direction or invisible characters'
  }
  const needed = needs === 'letter' ? /\p{L}/u : /[\p{L}\p{N}]/u
  if (!needed.test(name)) return `must hold a ${needs}`
  if (MANY_MARKS.test(name)) return 'must not pile up marks on a letter'
  return /:\/\/|www\./.test(name.normalize('NFKC').toLowerCase()) ? 'must not hold a web address' : undefined
}

/** Letters of Persian and of Indian scripts are joined or parted by these. */
const JOINERS_IN_WORDS = /(?<=\p{L}\p{M}*)[\u200c\u200d](?=\p{L})/gu
/**
 * More than two marks of no script in a row, such as U+0300 to U+036F, or more than six of any kind. No language writes so
 * many on a letter; piled up they cover the lines around a name.
 */
const MANY_MARKS = /(?:(?=\p{M})\p{Script=Inherited}){3}|\p{M}{7}/u
/** Controls, line and paragraph separators, characters that a font may ignore, annotations and the blank of Braille. */
const INVISIBLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\u2800]/u

/** Whether a text holds a control, direction or invisible character. */
export const holdsInvisible = (value: string): boolean => INVISIBLE.test(value)

/** A text that is stored as sent, white space and control characters included: only unpaired surrogates are refused. */
export const plainText = ({ min = 0, max }: { min?: number; max: number }) =>
  z
    .string()
    .min(min)
    .max(max)
    .refine((value) => value.isWellFormed(), 'must be well-formed Unicode')

/** Returns a text with a to z in upper case. Other letters stay: the upper case of `ß` is `SS`, and that of `ſ` is `S`. */
export const asciiUpperCase = (value: string): string =>
  value.replace(/[a-z]+/g, (letters) => letters.toUpperCase())
