import type { Explanation } from './explanation.ts'

/** Problems of any request: its form, its caller, its limits, and faults on our side. */
export const REQUEST_PROBLEMS = {
  malformed_json: {
    when: 'The body could not be parsed as JSON in UTF-8, or has a key `__proto__`, which `detail` names.',
    remedy: 'Send what a JSON serializer writes, and look for text that was cut off on the way.',
  },
  malformed_multipart: {
    when: 'An upload is not `multipart/form-data`, its boundary is missing, or a part is cut off, names no field, or has headers over 16 KiB.',
    remedy: 'Let the HTTP library write the body and its `Content-Type`; do not set that header by hand.',
  },
  validation_failed: {
    when: 'A field, a path or a query parameter is missing, unknown to a `GET`, of the wrong type or out of bounds.',
    remedy:
      'Read `errors`: each entry names the field in `path` and says in `message` what it must be. The same request fails again.',
  },
  invalid_cursor: {
    when: 'The `cursor` was changed, is of another list, or comes with other filters than those it was given for; or the `after` of a list of events is older than 30 days.',
    remedy:
      'Start again without a cursor. Pass `nextCursor` on as it is, with the same filters; only `limit` may change.',
  },
  idempotency_key_required: {
    when: 'A request that moves money came without an `Idempotency-Key`.',
    remedy:
      'Make a random key for each thing that the person wants done, and send it with every attempt at it. See [Idempotency](#idempotency).',
  },
  idempotency_key_reused: {
    when: 'The key was used within 24 hours for another route or another body.',
    remedy: 'Use a new key for a new request. To repeat the old one, repeat its body as it was.',
  },
  idempotency_in_progress: {
    when: 'The first request with this key is still being carried out, or ended without an answer less than 60 seconds ago.',
    remedy:
      'Wait some seconds and send the same request with the same key: it answers what the first one did.',
  },
  unauthenticated: {
    when: 'There is no `Authorization: Bearer` header, or its token is expired, malformed, ended by a sign-out, or not of a known issuer.',
    remedy:
      'Refresh the session with `POST /auth/refresh` and repeat the request once. If that fails too, let the person sign in.',
  },
  forbidden: {
    when: 'The token is good, but its holder may not do this: a user called an administrator’s route, or somebody else’s public resource was to be changed.',
    remedy: 'Call with the token of somebody who may. Repeating does not help.',
  },
  not_found: {
    when: 'There is no such route or resource, its id has a wrong shape, or it exists and the caller may not know.',
    remedy: 'Check the id, and who is signed in: what belongs to another looks as if it did not exist.',
  },
  method_not_allowed: {
    when: 'The path exists, but not with this method.',
    remedy: 'Use one of the methods in the `Allow` header.',
  },
  version_conflict: {
    when: '`If-Match` (or `upTo`, for reports) names a version that is no longer the newest: somebody changed the resource meanwhile. Nothing was done.',
    remedy:
      'Read the resource again, show the person what changed, and send the change with the new `ETag`, which an answer to `If-Match` carries already.',
  },
  payload_too_large: {
    when: 'A JSON body is over 256 KiB, a multipart body over 4.25 MiB, or one file over 4 MiB.',
    remedy:
      'Send less. Large pictures and films go straight to the store: `POST /listings/{id}/media/uploads`.',
  },
  unsupported_media_type: {
    when: 'The body’s `Content-Type` is not the one that the operation takes, or a file is of a type that is not accepted.',
    remedy:
      'Send `application/json`, or for files JPEG, PNG, WebP, AVIF or PDF. The type is read from the bytes, not from the name.',
  },
  too_many_requests: {
    when: 'A limit of this caller, address or account is used up; the `RateLimit-Policy` header names it.',
    remedy: 'Wait for the seconds in `Retry-After`. Sending earlier does not shorten the wait.',
  },
  internal: {
    when: 'Something failed on our side that should not have.',
    remedy:
      'Repeat it once; a request with an `Idempotency-Key` is safe to repeat. If it fails again, report the `requestId`.',
  },
  unavailable: {
    when: 'The service is busy for a moment, or others kept changing the same resource. Nothing was done.',
    remedy: 'Repeat after the seconds in `Retry-After`, with growing pauses.',
  },
  already_claimed: {
    when: 'Another administrator has claimed this subject; `by` says who, `until` says how long.',
    remedy:
      'Take the next one, speak with the other, or wait until the claim runs out. A claim prevents nothing but two people at one thing.',
  },
  favourite_limit_reached: {
    when: 'The caller has saved 500 listings.',
    remedy: 'Remove one from the favourites first.',
  },
  saved_search_limit_reached: {
    when: 'The caller has 20 saved searches.',
    remedy: 'Delete one first.',
  },
  webhook_limit_reached: {
    when: 'There are 20 webhook endpoints already.',
    remedy: 'Delete one that is no longer used, or let one endpoint take more types.',
  },
} satisfies Record<string, Explanation>
