/** Every way in which a request can be refused: the closed set of the contract, section 6. */
export type ProblemCode =
  | 'malformed_json'
  | 'malformed_multipart'
  | 'validation_failed'
  | 'invalid_cursor'
  | 'weak_password'
  | 'invalid_token'
  | 'unauthenticated'
  | 'invalid_credentials'
  | 'invalid_refresh_token'
  | 'invalid_signature'
  | 'forbidden'
  | 'agent_profile_required'
  | 'account_banned'
  | 'not_found'
  | 'agent_profile_not_found'
  | 'method_not_allowed'
  | 'email_taken'
  | 'identity_verified'
  | 'kyc_transition_not_allowed'
  | 'document_limit_reached'
  | 'payments_open'
  | 'listing_transition_not_allowed'
  | 'listing_incomplete'
  | 'draft_limit_reached'
  | 'owner_not_verified'
  | 'media_not_ready'
  | 'media_limit_reached'
  | 'media_required'
  | 'payment_transition_not_allowed'
  | 'payment_not_refundable'
  | 'refund_exceeds_payment'
  | 'idempotency_in_progress'
  | 'version_conflict'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'idempotency_key_reused'
  | 'too_many_requests'
  | 'internal'
  | 'provider_unavailable'
  | 'unavailable'

/** One thing wrong with a request. `path` names the field as the client spelt it (`location.country`, `file[2]`). */
export type FieldError = { path: string; code: string; message: string }

/** What a refusal may say beyond its code. All of it is shown to the caller, but for `cause`. */
export type DomainErrorOptions = {
  /** This occurrence in a sentence. */
  detail?: string
  /** What is wrong, field by field. */
  errors?: FieldError[]
  /** Members added to the problem document, such as `from`, `to` and `allowed`. */
  extensions?: Record<string, unknown>
  /** Headers of the answer, such as `Retry-After` or `Allow`. */
  headers?: Record<string, string>
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

/** A `validation_failed` about one field. */
export const invalidField = (path: string, message: string, code = 'invalid_value'): DomainError =>
  new DomainError('validation_failed', { detail: `${path} ${message}`, errors: [{ path, code, message }] })
