import { api, type Change, read } from '../api/client.ts'

/**
 * Whether a decision whose answer was lost was carried out: the identity has the decided status, and waits for no
 * further decision.
 */
export async function isDecided({ body = {} }: Change): Promise<boolean> {
  // Every decision has both fields: the check is for the compiler.
  if (!('userId' in body && 'kycStatus' in body)) return false
  const userId = `${body.userId}`
  const review = await read(api.GET('/admin/kyc/{userId}', { params: { path: { userId } } }))
  return review.kycStatus === body.kycStatus && review.waitingSince === null
}
