import type * as z from 'zod'
import { DomainError, type DomainErrorOptions, type FieldError } from '#lib/kernel/domain-error'
import { WriteConflict } from '#lib/kernel/write'
import { PROBLEMS } from './problems.ts'

/** A problem as it goes out, before the common headers. */
export type ProblemAnswer = { statusCode: number; headers: Record<string, string>; body: string }

/** Writes the problem document. Says nothing of a refusal but what the error was given to say. */
export function problemAnswer(error: DomainError, requestId: string, publicUrl: string): ProblemAnswer {
  const [status, title] = PROBLEMS[error.code]
  const { detail, errors, extensions, headers } = error.options
  return {
    statusCode: status,
    headers: {
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      ...(status === 401 && error.code !== 'invalid_signature' && { 'www-authenticate': 'Bearer' }),
      ...(status === 503 && { 'retry-after': '1' }),
      ...headers,
    },
    body: JSON.stringify({
      type: `${publicUrl}/docs#${error.code}`,
      title,
      status,
      code: error.code,
      detail: detail ?? title,
      requestId,
      ...(errors && { errors }),
      ...extensions,
    }),
  }
}

/** What a validation refused, as one `validation_failed` naming every field. Needs issues with their `input`. */
export function validationFailed(error: z.core.$ZodError): DomainError {
  const faults = error.issues.map((issue) => fieldError(issue))
  // Two bounds of one kind, such as those of an int and of an amount: the second is ours.
  const errors = [...new Map(faults.map((fault) => [`${fault.path} ${fault.code}`, fault])).values()]
  const detail = errors.map(({ path, message }) => (path ? `${path} ${message}` : message)).join('; ')
  return new DomainError('validation_failed', { detail: detail.slice(0, 1000), errors: errors.slice(0, 100) })
}

function fieldError(issue: z.core.$ZodIssue): FieldError {
  const path = issue.path.map(String).join('.')
  if (MISSING.has(issue.code) && issue.input === undefined)
    return { path, code: 'required', message: 'is required' }
  return { path, code: CODES[issue.code] ?? issue.code, message: sentence(issue) }
}

/** What a field that is not there is reported as, by what it should have been. */
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

/** Why a part of the infrastructure did not answer, by the names its SDK gives such errors. */
const PASSING = new Set([
  'ThrottlingException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'InternalServerError',
  'ServiceUnavailable',
  'SlowDown',
  'TimeoutError',
  'ECONNREFUSED',
  'ECONNRESET',
])

/** Turns whatever was thrown into a refusal: our own stays, a passing fault is `unavailable`, the rest `internal`. */
export function asDomainError(error: unknown): DomainError {
  if (error instanceof DomainError) return error
  if (error instanceof WriteConflict) return new DomainError('unavailable', { cause: error })
  const fault = error as
    | { name?: string; code?: string; statusCode?: number; cause?: { package?: string } }
    | undefined
  const parsing = fault?.cause?.package === '@middy/http-json-body-parser'
  if (parsing && fault?.statusCode === 415) {
    return new DomainError('unsupported_media_type', { detail: 'Send the body as application/json' })
  }
  if (parsing) return new DomainError('malformed_json')
  const options: DomainErrorOptions = { cause: error }
  if (PASSING.has(fault?.name ?? '') || PASSING.has(fault?.code ?? ''))
    return new DomainError('unavailable', options)
  return new DomainError('internal', options)
}
