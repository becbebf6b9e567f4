import { hasCredential } from './access.ts'
import type { EncodedAnswer } from './reply.ts'
import type { HttpEvent } from './request.ts'
import type { Spec } from './spec.ts'

/** How long a copy of what everyone may read is good. */
const PUBLIC_MAX_AGE_SECONDS = 30

/**
 * Lets caches keep a public answer for a while, unless the request shows who asks: what an owner sees of their own
 * listing is not what others see of it.
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
