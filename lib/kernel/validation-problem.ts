import type * as z from 'zod'
import { DomainError, type FieldError } from './domain-error.ts'

/** The bounds of a problem's `detail`, in characters, and of its `errors`. */
const DETAIL_MAX = 1000
const ERRORS_MAX = 100

/** Returns one `validation_failed` that names the wrong fields. */
export function validationFailed(errors: readonly FieldError[]): DomainError {
  const detail = errors.map(({ path, message }) => (path ? `${path} ${message}` : message)).join('; ')
  return new DomainError('validation_failed', {
    detail: detail.slice(0, DETAIL_MAX),
    errors: errors.slice(0, ERRORS_MAX),
  })
}

/**
 * Returns the refused fields of zod's error. The parse must have had the option `reportInput`, so that a missing field
 * can be told from a wrong one. `describe` may replace the usual sentence about an issue.
 */
export function fieldErrors(
  { issues }: Pick<z.core.$ZodError, 'issues'>,
  describe: (issue: z.core.$ZodIssue) => string | undefined = () => undefined,
): FieldError[] {
  const mistyped = new Set(
    issues.filter(({ code }) => code === 'invalid_type').map(({ path }) => writePath(path)),
  )
  const faults = issues
    // zod also measures a text where a list is expected, and a list where a text is.
    .filter((issue) => !isLength(issue) || !mistyped.has(writePath(issue.path)))
    .map((issue) => fieldError(issue, describe(issue)))
  // A later fault of a field and code replaces an earlier one: for an integer zod names its own bound before ours.
  return [...new Map(faults.map((fault) => [`${fault.path} ${fault.code}`, fault])).values()]
}

function fieldError(issue: z.core.$ZodIssue, message = sentence(issue)): FieldError {
  const path = writePath(issue.path)
  if (MISSING.has(issue.code) && refusedValue(issue) === undefined)
    return { path, code: 'required', message: 'is required' }
  return { path, code: CODES[issue.code] ?? issue.code, message }
}

/** Returns the refused value. Where zod refuses a discriminator, its `input` is the whole object. */
const refusedValue = (issue: z.core.$ZodIssue): unknown =>
  issue.code === 'invalid_union' && issue.discriminator !== undefined
    ? Object(issue.input)[issue.discriminator]
    : issue.input

/** Writes where a value stands in a body: `a.b[0].c`, and nothing for the body itself. */
const writePath = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((written, step) => {
    if (typeof step === 'number') return `${written}[${step}]`
    return written === '' ? String(step) : `${written}.${String(step)}`
  }, '')

/** The issues that zod raises for a missing field: which one depends on the expected type. */
const MISSING = new Set<z.core.$ZodIssue['code']>(['invalid_type', 'invalid_value', 'invalid_union'])

const CODES: Partial<Record<z.core.$ZodIssue['code'], string>> = {
  custom: 'invalid_value',
  invalid_union: 'invalid_value',
}

/** Only the list of currencies is longer: its sentence names the standard in place of the codes. */
const LISTED_VALUES_MAX = 100

function sentence(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_value':
      if (issue.values.length > LISTED_VALUES_MAX) return 'must be an ISO 4217 currency code'
      return oneOf(issue.values)
    case 'invalid_union':
      return 'options' in issue && issue.options ? oneOf(issue.options) : issue.message
    case 'invalid_type':
      return `must be ${/^[aeiou]/.test(issue.expected) ? 'an' : 'a'} ${issue.expected}`
    case 'too_small':
      return `must ${verb(issue.origin)} at least ${issue.minimum}${unit(issue.origin, issue.minimum)}`
    case 'too_big':
      return `must ${verb(issue.origin)} at most ${issue.maximum}${unit(issue.origin, issue.maximum)}`
    case 'invalid_format':
      if (issue.format !== 'regex') return `must be a valid ${issue.format}`
      return issue.message.startsWith('must ') ? issue.message : 'must be a valid value'
    default:
      return issue.message
  }
}

const oneOf = (values: readonly z.core.util.Primitive[]): string =>
  `must be ${values.length > 1 ? 'one of ' : ''}${values.map(String).join(', ')}`

const LENGTHS = new Set(['string', 'array', 'set', 'map'])

const isLength = (issue: z.core.$ZodIssue): boolean =>
  (issue.code === 'too_small' || issue.code === 'too_big') && LENGTHS.has(issue.origin)

const verb = (origin: string): 'have' | 'be' => (LENGTHS.has(origin) ? 'have' : 'be')

function unit(origin: string, count: number | bigint): string {
  if (!LENGTHS.has(origin)) return ''
  return ` ${origin === 'string' ? 'character' : 'item'}${count === 1 ? '' : 's'}`
}
