import { api, type Change, read } from '../api/client.ts'
import type { Schema } from '../api/schemas.ts'
import { administrator } from '../session/session.ts'

/** Returns the time of the last decision on an identity; empty without one. */
export const lastDecisionOf = ({ decisions }: Schema<'KycReview'>): string => decisions[0]?.decidedAt ?? ''

/**
 * Whether a decision whose answer was lost was carried out: the identity has a decision of the reader's own that is newer
 * than the last one that the reader saw.
 */
export async function isDecided({ body = {} }: Change, lastSeen: string | undefined): Promise<boolean> {
  // Every decision has both: the check is for the compiler, and for a decision that an earlier release has kept.
  if (!('userId' in body) || lastSeen === undefined) return false
  const userId = `${body.userId}`
  const { decisions } = await read(api.GET('/admin/kyc/{userId}', { params: { path: { userId } } }))
  return decisions.some(
    ({ decidedBy, decidedAt }) =>
      decidedBy === administrator.peek() && decidedAt !== null && decidedAt > lastSeen,
  )
}
