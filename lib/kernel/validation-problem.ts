import type * as z from 'zod'
import { DomainError, type FieldError } from './domain-error.ts'

/** Every field that is wrong, as one `validation_failed`. */
export function validationFailed(errors: readonly FieldError[]): DomainError {
  const detail = errors.map(({ path, message }) => (path ? `${path} ${message}` : message)).join('; ')
  return new DomainError('validation_failed', { detail: detail.slice(0, 1000), errors: errors.slice(0, 100) })
}

/**
 * Refused fields. Its issues need their `input`. `describe` may say what is wrong with an issue, in place of the usual
 * sentence.
 */
export function fieldErrors(
  { issues }: z.core.$ZodError,
  describe: (issue: z.core.$ZodIssue) => string | undefined = () => undefined,
): FieldError[] {
  const faults = issues.map((issue) => fieldError(issue, describe(issue)))
  // Two bounds of one kind, such as those of an int and of an amount: the second is ours.
  return [...new Map(faults.map((fault) => [`${fault.path} ${fault.code}`, fault])).values()]
}

function fieldError(issue: z.core.$ZodIssue, message = sentence(issue)): FieldError {
  const path = writePath(issue.path)
  if (MISSING.has(issue.code) && issue.input === undefined)
    return { path, code: 'required', message: 'is required' }
  return { path, code: CODES[issue.code] ?? issue.code, message }
}

/** Writes where a value stands in a body: `a.b[0].c`, and nothing for the body itself. */
const writePath = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((written, step) => {
    if (typeof step === 'number') return `${written}[${step}]`
    return written === '' ? String(step) : `${written}.${String(step)}`
  }, '')

/** The code of a missing field, by the type that was expected. */
const MISSING = new Set<z.core.$ZodIssue['code']>(['invalid_type', 'invalid_value', 'invalid_union'])

const CODES: Partial<Record<z.core.$ZodIssue['code'], string>> = { custom: 'invalid_value' }

function sentence(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_value':
      if (issue.values.length > LISTED_VALUES_MAX) return 'must be an ISO 4217 currency code'
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}`
    case 'invalid_type':
      return `must be ${/^[aeiou]/.test(issue.expected) ? 'an' : 'a'} ${issue.expected}`
    case 'too_small':
      return `must ${LENGTHS.has(issue.origin) ? 'have at least' : 'be at least'} ${issue.minimum}${unit(issue.origin)}`
    case 'too_big':
      return `must ${LENGTHS.has(issue.origin) ? 'have at most' : 'be at most'} ${issue.maximum}${unit(issue.origin)}`
    case 'invalid_format':
      if (issue.format !== 'regex') return `must be a valid ${issue.format}`
      return issue.message.startsWith('must ') ? issue.message : 'must be a valid value'
    default:
      return issue.message
  }
}

/** Currencies alone are more: their standard is named in place of their codes. */
const LISTED_VALUES_MAX = 100

const LENGTHS = new Set(['string', 'array', 'set', 'map'])

const unit = (origin: string): string =>
  origin === 'string' ? ' characters' : LENGTHS.has(origin) ? ' items' : ''
