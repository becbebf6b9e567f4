import { PayoutId } from '#lib/kernel/id'
import { type PayoutStatus, PayoutView } from './payout.ts'

/** The common part of the endpoints by which administrators move a payout, to the given status. */
export const payoutMove = (status: PayoutStatus) => ({
  input: { params: { id: PayoutId } },
  output: { 200: PayoutView.meta({ example: { status } }) },
  problems: ['payout_transition_not_allowed', 'unavailable'] as const,
})
