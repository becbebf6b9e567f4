import type { Json } from './schemas.ts'

/** The headers of answers that a client may act on, by name, as the document's components. */
export const HEADERS = {
  'X-Request-Id': text('Names the request in our logs; problems repeat it'),
  'API-Version': text('The version of this document that the answer follows'),
  ETag: text(
    'The version and view of what is shown, for `If-Match` and `If-None-Match`; in a 412, the ones it has now',
  ),
  Location: text('Where the answer lies'),
  'Retry-After': { schema: { type: 'integer' }, description: 'Seconds to wait before asking again' },
  RateLimit: text('What is left of the limit that was met, and the seconds until it resets'),
  'RateLimit-Policy': text('The limit that was met, its quota and its window in seconds'),
  Allow: text('The methods that are taken here'),
  'WWW-Authenticate': text('How to show who is calling: `Bearer`'),
  'Idempotent-Replayed': text('`true` where the answer is that of an earlier request with the same key'),
} as const satisfies Record<string, Json>

/** The name of a header that the document describes. */
export type HeaderName = keyof typeof HEADERS

/** Returns references to these headers and to those of every answer. */
export const headersOf = (names: readonly HeaderName[]): Json =>
  Object.fromEntries(
    (['X-Request-Id', 'API-Version', ...names] satisfies HeaderName[]).map((name) => [
      name,
      { $ref: `#/components/headers/${name}` },
    ]),
  )

function text(description: string): Json {
  return { schema: { type: 'string' }, description }
}
