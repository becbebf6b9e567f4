import type { SeenVersion } from '#lib/kernel/version'
import { type EncodedAnswer, etagOf } from './reply.ts'
import { type HttpEvent, header } from './request.ts'
import type { Spec } from './spec.ts'

/**
 * Returns the versions in a request's `If-Match`; undefined without one, and for `*`, which matches every version. A
 * `W/` that a proxy put before a tag is ignored. Text that is no entity tag matches no version.
 */
export const seenVersionOf = (event: HttpEvent): SeenVersion => tagsOf(header(event, 'if-match'))

/**
 * Answers 304 to a caller who has the answer's version already, if the endpoint honours `If-None-Match`. An answer with
 * `isAlwaysSent` is never replaced by 304.
 */
export function unlessKnown({ honours }: Spec, event: HttpEvent, answer: EncodedAnswer): EncodedAnswer {
  const { 'content-type': _type, ...headers } = answer.headers
  const { etag } = headers
  const mayBeKnown = honours === 'If-None-Match' && !answer.isAlwaysSent
  const known = mayBeKnown && etag !== undefined && isKnown(event, etag)
  return known ? { statusCode: 304, headers, body: null } : answer
}

/** Whether a request's `If-None-Match` names the tag of an answer; weak and strong tags compare alike. */
function isKnown(event: HttpEvent, etag: string): boolean {
  const field = header(event, 'if-none-match')
  if (field === undefined) return false
  const tags = tagsOf(field)
  return tags === undefined || tags.some((version) => etagOf(version) === etag)
}

/** The opaque parts of the entity tags in a field (RFC 9110, section 8.8.3); undefined for `*`. */
function tagsOf(field: string | undefined): readonly string[] | undefined {
  if (field === undefined || field.trim() === '*') return undefined
  return [...field.matchAll(/(?:^|,)\s*(?:W\/)?"([^"]*)"\s*(?=,|$)/g)].map(([, tag = '']) => tag)
}
