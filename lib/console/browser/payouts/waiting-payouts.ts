import { api, read } from '../api/client.ts'
import type { Schema } from '../api/schemas.ts'

type Payout = Schema<'Payout'>

/** The statuses in which a payout may need an administrator. A FAILED one does if its provider paid it after all. */
const STATUSES = ['AWAITING_APPROVAL', 'PENDING', 'FAILED'] as const

/** Whether an administrator has to approve a payout, pay it by hand, or resolve it. */
export const needsSomeone = ({ status, method, needsResolution }: Payout): boolean =>
  needsResolution || status === 'AWAITING_APPROVAL' || (status === 'PENDING' && method === 'by_hand')

/**
 * Reads a page of the waiting payouts, status by status. The cursor is `<status> <cursor of the API>`, or a status alone
 * for its first page.
 */
export async function waitingPayouts(
  cursor: string | undefined,
): Promise<{ items: Payout[]; nextCursor: string | null }> {
  const [first] = STATUSES
  const [status = first, after] = (cursor?.split(' ') ?? []) as [(typeof STATUSES)[number]?, string?]
  const query = { limit: 50, status, cursor: after }
  const { items, nextCursor } = await read(api.GET('/admin/payouts', { params: { query } }))
  const following = STATUSES[STATUSES.indexOf(status) + 1]
  const next = nextCursor === null ? following : `${status} ${nextCursor}`
  return { items: items.filter(needsSomeone), nextCursor: next ?? null }
}
