import type * as z from 'zod'
import {
  DomainError,
  type DomainErrorOptions,
  type FieldError,
  type ProblemCode,
} from '#lib/kernel/domain-error'
import { WriteConflict } from '#lib/kernel/write'

/** The one table from a problem's code to its status and title (RFC 9457). */
export const PROBLEMS = {
  malformed_json: [400, 'The body is not JSON'],
  malformed_multipart: [400, 'The body is not multipart/form-data'],
  validation_failed: [400, 'The request is not valid'],
  invalid_cursor: [400, 'The cursor is not valid here'],
  weak_password: [400, 'The password is too easy to guess'],
  invalid_token: [400, 'The token is used, expired or unknown'],
  unauthenticated: [401, 'A valid access token is needed'],
  invalid_credentials: [401, 'The e-mail or the password is wrong'],
  invalid_refresh_token: [401, 'The refresh token is not valid'],
  invalid_signature: [401, 'The signature is not valid'],
  forbidden: [403, 'The caller may not do this'],
  agent_profile_required: [403, 'An agent profile is needed'],
  account_banned: [403, 'The account is banned'],
  not_found: [404, 'There is no such resource'],
  agent_profile_not_found: [404, 'There is no agent profile yet'],
  method_not_allowed: [405, 'The method is not allowed here'],
  email_taken: [409, 'The e-mail is taken'],
  identity_verified: [409, 'A verified identity cannot be changed'],
  kyc_transition_not_allowed: [409, 'The KYC status cannot change this way'],
  document_limit_reached: [409, 'There are too many documents'],
  payments_open: [409, 'A payment is still open'],
  listing_transition_not_allowed: [409, 'The listing cannot change this way'],
  listing_incomplete: [409, 'The listing is not complete'],
  draft_limit_reached: [409, 'There are too many drafts'],
  owner_not_verified: [409, 'The owner is not verified'],
  media_not_ready: [409, 'The listing has no picture that is ready'],
  media_limit_reached: [409, 'The listing has too many media'],
  media_required: [409, 'A live listing keeps its last picture'],
  payment_transition_not_allowed: [409, 'The payment cannot change this way'],
  payment_not_refundable: [409, 'The payment cannot be refunded'],
  refund_exceeds_payment: [409, 'The refund is more than what is left of the payment'],
  idempotency_in_progress: [409, 'A request with this Idempotency-Key is being carried out'],
  version_conflict: [412, 'The resource has changed meanwhile'],
  payload_too_large: [413, 'The body is too large'],
  unsupported_media_type: [415, 'The media type is not supported'],
  idempotency_key_reused: [422, 'The Idempotency-Key belongs to another request'],
  too_many_requests: [429, 'There were too many requests'],
  internal: [500, 'Something went wrong on our side'],
  provider_unavailable: [502, 'The payment provider does not answer'],
  unavailable: [503, 'The service is briefly unavailable'],
} as const satisfies Record<ProblemCode, readonly [status: number, title: string]>

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
