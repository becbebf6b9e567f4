import { DAY_SECONDS, secondsAfter, type Timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import type { PaymentId, UserId } from '#lib/kernel/id'
import { allPages, PAGE_SIZE } from '#lib/kernel/page'
import { WriteConflict } from '#lib/kernel/write'
import { isPayer, type Payer } from '../payer.ts'
import type { PaymentReader } from '../payment-store.ts'
import { factsOf } from '../state/fact.ts'
import { foldOf } from '../state/fold.ts'
import type { Payment } from '../state/payment.ts'
import { statusOf } from '../state/payment-status.ts'

/** The time after its provider's last statement for which a dispute keeps an account from being erased. */
const DISPUTE_DAYS = 180
/** The same time for a payment that is PROCESSING. */
const PROCESSING_DAYS = 90

/** Reads every payment of a user, newest first: two requests for each hundred. */
export const paymentsOf = (payments: PaymentReader, userId: UserId): Promise<Payment[]> =>
  allPages((after: PaymentId | undefined) => payments.byUser(userId, { limit: PAGE_SIZE, after }))

/** Reads every payment on an agent's listings, newest first: the list that the agent's id names. */
export const paymentsOnListingsOf = (payments: PaymentReader, agentId: UserId): Promise<Payment[]> =>
  allPages((after: PaymentId | undefined) => payments.list(agentId, { limit: PAGE_SIZE, after }))

/** Whether money of a payment may still move without our doing, so that the accounts of its sides must remain. */
function isUnderWay(payment: Payment, now: Date): boolean {
  const { charges, refunds, disputes } = foldOf(payment)
  // Without a charge whose money came, a pending refund has none to give back.
  const hasCharge = charges.some(({ state }) => state !== 'taken_back')
  if (hasCharge && refunds.some(({ state }) => state === 'pending')) return true
  const status = statusOf(payment, now)
  if (status === 'PROCESSING') {
    return factsOf(payment.facts, 'processing').some(({ at }) => isWithin(PROCESSING_DAYS, at, now))
  }
  return (
    status === 'DISPUTED' &&
    disputes.some(({ state, at }) => state === 'open' && isWithin(DISPUTE_DAYS, at, now))
  )
}

/** Whether a payer's payment is not settled yet. */
const isOpen = (payment: Payment, now: Date): boolean =>
  statusOf(payment, now) === 'PENDING' || isUnderWay(payment, now)

const isWithin = (days: number, at: Timestamp, now: Date): boolean =>
  now < secondsAfter(new Date(at), days * DAY_SECONDS)

/**
 * Refuses while a user has a payment that is open, or one on their listings is under way: `payments_open` with
 * `paymentIds`. Throws `WriteConflict` while the index lists fewer payments than the user has begun. Returns how many these
 * are.
 */
export async function refuseOpenPayments(payments: PaymentReader, user: Payer, now: Date): Promise<number> {
  const [begun, own, onListings] = await Promise.all([
    payments.countBegun(user.id),
    paymentsOf(payments, user.id),
    paymentsOnListingsOf(payments, user.id),
  ])
  const open = [
    ...own.filter((payment) => isPayer(user, payment) && isOpen(payment, now)),
    ...onListings.filter((payment) => payment.userId !== user.id && isUnderWay(payment, now)),
  ]
  if (open.length > 0) {
    const paymentIds = open.map(({ id }) => id)
    const detail = `Still open: ${paymentIds.slice(0, 10).join(', ')}`
    throw new DomainError('payments_open', { detail, extensions: { paymentIds } })
  }
  if (own.length < begun) throw new WriteConflict('The index of payments is behind')
  return begun
}
