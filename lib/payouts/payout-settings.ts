import { dependency } from '#lib/config/config'

/** The operator's settings of payouts. */
export type PayoutSettings = {
  /** A payment's money is held back for this time after its success was recorded. */
  delayDays: number
  /** No payout goes to a new or changed payout account for this time. */
  accountHoldHours: number
  /** By currency: the sum of an agent's payouts of 24 hours above which a second administrator approves. */
  approvalLimits: Readonly<Partial<Record<string, number>>>
}

/** The operator's settings, from the environment. */
export const payoutSettings = dependency(
  ['PAYOUT_DELAY_DAYS', 'PAYOUT_ACCOUNT_HOLD_HOURS', 'APPROVAL_LIMITS'],
  ({ PAYOUT_DELAY_DAYS, PAYOUT_ACCOUNT_HOLD_HOURS, APPROVAL_LIMITS }): PayoutSettings => ({
    delayDays: PAYOUT_DELAY_DAYS,
    accountHoldHours: PAYOUT_ACCOUNT_HOLD_HOURS,
    approvalLimits: APPROVAL_LIMITS,
  }),
)
