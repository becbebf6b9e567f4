import type { SeenVersion } from '#lib/kernel/version'
import { type EncodedAnswer, etagOf } from './reply.ts'
import { type HttpEvent, hasCredential, header } from './request.ts'

/**
 * Returns the versions in a request's `If-Match`; undefined without one, and for `*`, which matches every version. A
 * `W/` that a proxy put before a tag is ignored. Text that is no entity tag matches no version.
 */
export const seenVersionOf = (event: HttpEvent): SeenVersion => tagsOf(header(event, 'if-match'))

/** Answers 304 to a caller who has the answer's version already, unless the answer is always sent. */
export function unlessKnown(event: HttpEvent, answer: EncodedAnswer): EncodedAnswer {
  const { 'content-type': _type, ...headers } = answer.headers
  const { etag } = headers
  if (answer.isAlwaysSent || etag === undefined || !isKnown(event, etag)) return answer
  return { statusCode: 304, headers, body: null }
}

/** Whether a request's `If-None-Match` names the tag of an answer; weak and strong tags compare alike. */
function isKnown(event: HttpEvent, etag: string): boolean {
  const field = header(event, 'if-none-match')
  if (field === undefined) return false
  const tags = tagsOf(field)
  return tags === undefined || tags.some((version) => etagOf(version) === etag)
}

/** Returns the opaque parts of the entity tags in a field (RFC 9110, section 8.8.3); undefined for `*`. */
function tagsOf(field: string | undefined): readonly string[] | undefined {
  if (field === undefined || field.trim() === '*') return undefined
  return [...field.matchAll(/(?:^|,)\s*(?:W\/)?"([^"]*)"\s*(?=,|$)/g)].map(([, tag = '']) => tag)
}

/** The seconds for which a cache may keep a public answer. */
const PUBLIC_MAX_AGE_SECONDS = 30

/**
 * Lets caches keep a public answer for a while, unless the request carries a credential: an owner sees more of a
 * listing than others do.
 */
export function forCaches(event: HttpEvent, answer: EncodedAnswer): EncodedAnswer {
  const headers = {
    ...answer.headers,
    ...(!hasCredential(event) && { 'cache-control': `public, max-age=${PUBLIC_MAX_AGE_SECONDS}` }),
    vary: 'Authorization, Accept-Encoding, Origin',
  }
  return { ...answer, headers }
}
