import { api, type Change, read } from '../api/client.ts'

/** Whether a person's identity has the status that a change sets, and waits for no decision. */
export async function isDecided({ body = {} }: Change): Promise<boolean> {
  if (!('userId' in body && 'kycStatus' in body)) return false
  const userId = `${body.userId}`
  const review = await read(api.GET('/admin/kyc/{userId}', { params: { path: { userId } } }))
  return review.kycStatus === body.kycStatus && review.waitingSince === null
}
