/** Every way in which a request can be refused. The set is closed: the API documents each code. */
export type ProblemCode =
  | 'malformed_json'
  | 'idempotency_key_required'
  | 'malformed_multipart'
  | 'validation_failed'
  | 'invalid_cursor'
  | 'weak_password'
  | 'invalid_token'
  | 'invalid_code'
  | 'invalid_passkey'
  | 'unauthenticated'
  | 'invalid_credentials'
  | 'second_factor_required'
  | 'invalid_second_factor'
  | 'invalid_refresh_token'
  | 'invalid_signature'
  | 'step_up_required'
  | 'forbidden'
  | 'agent_profile_required'
  | 'second_person_needed'
  | 'account_banned'
  | 'email_not_verified'
  | 'not_found'
  | 'agent_profile_not_found'
  | 'method_not_allowed'
  | 'email_taken'
  | 'identity_verified'
  | 'in_review'
  | 'kyc_transition_not_allowed'
  | 'document_limit_reached'
  | 'payments_open'
  | 'listing_transition_not_allowed'
  | 'listing_incomplete'
  | 'reference_taken'
  | 'draft_limit_reached'
  | 'review_limit_reached'
  | 'listing_limit_reached'
  | 'listing_not_available'
  | 'listing_reserved'
  | 'own_listing'
  | 'other_side_gone'
  | 'owner_not_verified'
  | 'media_not_ready'
  | 'media_limit_reached'
  | 'media_required'
  | 'payment_transition_not_allowed'
  | 'payout_transition_not_allowed'
  | 'payout_exceeds_balance'
  | 'payout_account_missing'
  | 'balance_open'
  | 'payment_not_refundable'
  | 'refund_exceeds_payment'
  | 'open_payment_limit_reached'
  | 'payment_limit_reached'
  | 'refund_not_resolvable'
  | 'callback_not_resolvable'
  | 'payment_request_in_progress'
  | 'payment_request_not_open'
  | 'open_request_limit_reached'
  | 'already_claimed'
  | 'webhook_limit_reached'
  | 'second_factor_exists'
  | 'second_factor_missing'
  | 'passkey_limit_reached'
  | 'api_key_limit_reached'
  | 'favourite_limit_reached'
  | 'saved_search_limit_reached'
  | 'idempotency_in_progress'
  | 'version_conflict'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'idempotency_key_reused'
  | 'payment_refused'
  | 'too_many_requests'
  | 'internal'
  | 'provider_unavailable'
  | 'unavailable'

/** One thing wrong with a request. `path` names the field as the client spelt it (`location.country`, `file[2]`). */
export type FieldError = { path: string; code: string; message: string }

/** A limit on how often something may be done: `limit` times in `windowSeconds`. `policy` names it for clients. */
export type ExceededLimit = { policy: string; limit: number; windowSeconds: number }

/** The members of a problem that belong to its code. The caller sees every field but `cause`. */
type DomainErrorOptions = {
  /** This occurrence in a sentence. */
  detail?: string
  /** The refused fields. */
  errors?: FieldError[]
  /** Members added to the problem document, such as `from`, `to` and `allowed`. */
  extensions?: Record<string, unknown>
  /** The seconds to wait before the next try. */
  retryAfterSeconds?: number
  /** The limit that too many requests went beyond. */
  exceeded?: ExceededLimit
  /** The version that the record has now, which becomes the `ETag`. */
  version?: number | string
  /** The methods that a path takes. */
  allow?: readonly string[]
  /** For the log only. */
  cause?: unknown
}

/** The one kind of error the domain throws. `lib/http/problem.ts` turns it into RFC 9457. */
export class DomainError extends Error {
  override readonly name = 'DomainError'
  readonly code: ProblemCode
  readonly options: DomainErrorOptions

  constructor(code: ProblemCode, options: DomainErrorOptions = {}) {
    super(options.detail ?? code, { cause: options.cause })
    this.code = code
    this.options = options
  }
}

/** Makes a `validation_failed` about one field. */
export const invalidField = (path: string, message: string, code = 'invalid_value'): DomainError =>
  invalidFields([{ path, code, message }])

/** Makes a `validation_failed` that names every field. */
export const invalidFields = (errors: FieldError[]): DomainError =>
  new DomainError('validation_failed', {
    detail: errors.map(({ path, message }) => `${path} ${message}`).join('; '),
    errors,
  })

/** Makes a `too_many_requests` that says which limit was exceeded, and when to try again. */
export const tooManyRequests = (
  exceeded: ExceededLimit,
  retryAfterSeconds: number,
  detail = `There were too many requests; try again in ${retryAfterSeconds} seconds`,
): DomainError => new DomainError('too_many_requests', { detail, exceeded, retryAfterSeconds })
