import { hasCredential } from './access.ts'
import type { EncodedAnswer } from './reply.ts'
import type { HttpEvent } from './request.ts'
import type { Spec } from './spec.ts'

/** The seconds for which a cache may keep a public answer. */
const PUBLIC_MAX_AGE_SECONDS = 30

/**
 * Lets caches keep a public answer for a while, unless the request carries a credential: an owner sees more of a
 * listing than others do.
 */
export function forCaches({ caching }: Spec, event: HttpEvent, answer: EncodedAnswer): EncodedAnswer {
  if (caching !== 'public') return answer
  const headers = {
    ...answer.headers,
    ...(!hasCredential(event) && { 'cache-control': `public, max-age=${PUBLIC_MAX_AGE_SECONDS}` }),
    vary: 'Authorization, Accept-Encoding, Origin',
  }
  return { ...answer, headers }
}
