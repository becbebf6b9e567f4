import { PayoutId } from '#lib/kernel/id'
import { PayoutView } from './payout.ts'

/** The common part of the endpoints by which administrators move a payout. */
export const payoutMove = {
  input: { params: { id: PayoutId } },
  output: { 200: PayoutView },
  problems: ['payout_transition_not_allowed', 'unavailable'],
} as const
