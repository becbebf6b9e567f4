import type { Timestamp } from '#lib/kernel/clock'
import type { PayoutId, UserId } from '#lib/kernel/id'
import type { Currency } from '#lib/kernel/money'
import type { Page } from '#lib/kernel/page'
import type { Commit, Write } from '#lib/kernel/write'
import type { Payout } from './payout.ts'

/** The list of payouts that need someone. */
export const ATTENTION = 'ATTENTION'

type Span = { limit: number; after: PayoutId | undefined }

/** Where payouts are stored. Reads are consistent, lists aside; writes are values for `commit`. */
export type PayoutStore = {
  get: (id: PayoutId) => Promise<Payout | undefined>
  /** Lists payouts of a status, `ALL`, or `ATTENTION` for payouts that need someone; newest first. */
  list: (list: string, span: Span) => Promise<Page<Payout, PayoutId>>
  /** An agent's payouts, newest first; one made within the last second may be missing. */
  byAgent: (agentId: UserId, span: Span) => Promise<Page<Payout, PayoutId>>
  /** An agent's payouts in a currency whose ids are greater than `after`. Consistent. */
  ofAgentSince: (agentId: UserId, currency: Currency, after: PayoutId) => Promise<Payout[]>
  /** An agent's payouts whose money is on its way. Consistent. */
  underWay: (agentId: UserId) => Promise<Payout[]>
  /** Payouts that are due by now, the longest due first. */
  due: (now: Timestamp, limit: number) => Promise<Payout[]>
  insert: (payout: Payout) => Write[]
  /** Replaces the version that was seen; a `WriteConflict` where it has changed. */
  replace: (seen: Payout, next: Payout) => Write[]
  commit: Commit
}

export type PayoutReader = Pick<PayoutStore, 'get' | 'list' | 'byAgent' | 'ofAgentSince' | 'underWay' | 'due'>
