import * as z from 'zod'
import { Timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import { PayoutId, UserId } from '#lib/kernel/id'
import { Amount, Currency } from '#lib/kernel/money'

export const PayoutStatus = z
  .enum(['AWAITING_APPROVAL', 'PENDING', 'PAID', 'FAILED', 'CANCELLED'])
  .meta({ id: 'PayoutStatus' })
export type PayoutStatus = z.infer<typeof PayoutStatus>

export const PayoutMethod = z.enum(['by_hand', 'provider'])

/** A payout as it is stored. */
export const Payout = z.object({
  id: PayoutId,
  agentId: UserId,
  currency: Currency,
  amount: Amount,
  status: PayoutStatus,
  method: PayoutMethod,
  /** The provider account that pays; null where an administrator does. */
  provider: z.string().nullable(),
  /** The bank's or the provider's reference. */
  reference: z.string().nullable(),
  /** The last four characters of the account's number. */
  account: z.string(),
  /** The country of the account. */
  country: z.string(),
  /**
   * The account that the payout was made for, encrypted: a later change of the account does not redirect it. Null once the
   * payout has ended, for it names a person.
   */
  sealed: z.string().nullable(),
  createdBy: z.string(),
  approvedBy: z.string().nullable(),
  /** When the money left, as an administrator or the provider says. With it, a FAILED payout was paid after its failure. */
  paidAt: Timestamp.nullable(),
  failure: z.object({ code: z.string(), message: z.string() }).nullable(),
  /** Whether an administrator has to resolve it: the provider does not say how it ended, or paid after its failure. */
  needsResolution: z.boolean(),
  /** When the provider was first asked to pay; null until then. */
  sentAt: Timestamp.nullable(),
  /** The number of readings in a row in which the provider did not know the payout. */
  misses: z.int().min(0),
  /** The time of the job's next attempt; null for a payout without further work. */
  dueAt: Timestamp.nullable(),
  /** Counts the writes; every write is conditional on the one before it. */
  version: z.int().min(1),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type Payout = z.infer<typeof Payout>

/** A payout as administrators see it. */
export const PayoutView = z
  .object({
    id: PayoutId,
    agentId: UserId,
    currency: Currency,
    amount: Amount,
    status: PayoutStatus,
    method: PayoutMethod,
    provider: z.string().nullable().meta({ example: 'paystack' }),
    reference: z.string().nullable().meta({ example: '2026-11-20/0042' }),
    account: z.string().meta({
      description: 'The last four characters of the account’s number',
      example: '4021',
    }),
    createdBy: z.string().meta({ example: 'adm-7f3a' }),
    approvedBy: z.string().nullable().meta({ example: 'adm-b21c' }),
    needsResolution: z.boolean().meta({ example: false }),
    failure: z.object({ code: z.string(), message: z.string() }).nullable().meta({ example: null }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Payout' })
export type PayoutView = z.infer<typeof PayoutView>

/** The moves of administrators from each status. Only a provider's statement moves a payout from PAID to FAILED. */
const MOVES: Record<PayoutStatus, readonly PayoutStatus[]> = {
  AWAITING_APPROVAL: ['PENDING', 'CANCELLED'],
  PENDING: ['PAID', 'FAILED', 'CANCELLED'],
  PAID: [],
  FAILED: [],
  CANCELLED: [],
}

/** Whether a provider may have been asked to pay. */
export const hasGoneOut = ({ sentAt }: Payout): boolean => sentAt !== null

/** Whether an administrator says how a payout ended: one by hand, or one whose provider does not know. */
const isSettledByHand = ({ method, needsResolution }: Payout): boolean =>
  method === 'by_hand' || needsResolution

/** Returns the moves that an administrator may make. */
export function allowedMoves(payout: Payout): PayoutStatus[] {
  return MOVES[payout.status].filter((to) => {
    if (payout.status !== 'PENDING') return true
    return to === 'CANCELLED' ? !hasGoneOut(payout) : isSettledByHand(payout)
  })
}

/** Throws `payout_transition_not_allowed` unless an administrator may make the move. */
export function refuseMove(payout: Payout, to: PayoutStatus): void {
  const allowed = allowedMoves(payout)
  if (allowed.includes(to)) return
  throw new DomainError('payout_transition_not_allowed', {
    extensions: { from: payout.status, to, allowed },
  })
}

/** Whether an administrator has to act: to approve, to pay by hand, or to say how the payout ended. */
export const needsSomeone = ({ status, method, needsResolution }: Payout): boolean =>
  needsResolution || status === 'AWAITING_APPROVAL' || (status === 'PENDING' && method === 'by_hand')

/** Whether the money is still on its way to the agent. */
export const isOnItsWay = ({ status }: Payout): boolean =>
  status === 'AWAITING_APPROVAL' || status === 'PENDING'

/** Returns the ledger account that payouts through a provider account, or by hand, are credited to. */
export const payoutAccountName = ({ provider }: Pick<Payout, 'provider'>): string =>
  `payouts:${provider ?? 'by_hand'}`
