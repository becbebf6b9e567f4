import { dependency } from '#lib/config'

/** What the operator decides about payouts. */
export type PayoutSettings = {
  /** How long money of a payment is held back after its success was recorded. */
  delayDays: number
  /** How long a new or changed payout account rests. */
  accountHoldHours: number
  /** By currency: the sum of an agent's payouts of 24 hours above which a second administrator approves. */
  approvalLimits: Readonly<Partial<Record<string, number>>>
}

/** The operator's decisions, as the variables have them. */
export const payoutSettings = dependency(
  ['PAYOUT_DELAY_DAYS', 'PAYOUT_ACCOUNT_HOLD_HOURS', 'APPROVAL_LIMITS'],
  ({ PAYOUT_DELAY_DAYS, PAYOUT_ACCOUNT_HOLD_HOURS, APPROVAL_LIMITS }): PayoutSettings => ({
    delayDays: PAYOUT_DELAY_DAYS,
    accountHoldHours: PAYOUT_ACCOUNT_HOLD_HOURS,
    approvalLimits: APPROVAL_LIMITS,
  }),
)
