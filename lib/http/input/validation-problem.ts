import type * as z from 'zod'
import { DomainError, type FieldError } from '#lib/kernel/domain-error'

/** Every field that is wrong, as one `validation_failed`. */
export function validationFailed(errors: readonly FieldError[]): DomainError {
  const detail = errors.map(({ path, message }) => (path ? `${path} ${message}` : message)).join('; ')
  return new DomainError('validation_failed', { detail: detail.slice(0, 1000), errors: errors.slice(0, 100) })
}

/**
 * What a validation refused, field by field. Its issues need their `input`. `told` may say of an issue what is wrong,
 * in place of the usual sentence.
 */
export function fieldErrors(
  { issues }: z.core.$ZodError,
  told: (issue: z.core.$ZodIssue) => string | undefined = () => undefined,
): FieldError[] {
  const faults = issues.map((issue) => fieldError(issue, told(issue)))
  // Two bounds of one kind, such as those of an int and of an amount: the second is ours.
  return [...new Map(faults.map((fault) => [`${fault.path} ${fault.code}`, fault])).values()]
}

function fieldError(issue: z.core.$ZodIssue, told = sentence(issue)): FieldError {
  const path = issue.path.map(String).join('.')
  if (MISSING.has(issue.code) && issue.input === undefined)
    return { path, code: 'required', message: 'is required' }
  return { path, code: CODES[issue.code] ?? issue.code, message: told }
}

/** The code of a missing field, by the type that was expected. */
const MISSING = new Set<z.core.$ZodIssue['code']>(['invalid_type', 'invalid_value', 'invalid_union'])

const CODES: Partial<Record<z.core.$ZodIssue['code'], string>> = { custom: 'invalid_value' }

function sentence(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_value':
      if (issue.values.length > LISTED_VALUES_MAX) return 'must be one of the documented values'
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

/** More than a person would read. */
const LISTED_VALUES_MAX = 30

const LENGTHS = new Set(['string', 'array', 'set', 'map'])

const unit = (origin: string): string =>
  origin === 'string' ? ' characters' : LENGTHS.has(origin) ? ' items' : ''
