import type { Schema } from '../api/schemas.ts'

type Payment = Schema<'PaymentInFull'>
type Charge = Schema<'Charge'>

/** A charge that can be given back, and how much of it. */
export type Refundable = { charge: Charge; left: number }

/** Why no charge of a payment can be given back. */
type WhyNot = 'unpaid' | 'ended' | 'disputed' | 'charged_back' | 'refunded' | 'under_way'

/**
 * Returns the charges that can be given back. One charge pays the payment: its state is `COUNTS`, and it can be given
 * back only in some statuses of the payment. A charge that the payer should not have paid (`SECOND`, `UNASKED`) always
 * can.
 */
export const refundablesOf = (payment: Payment): Refundable[] =>
  payment.charges
    .filter(
      ({ state }) =>
        state === 'SECOND' || state === 'UNASKED' || (state === 'COUNTS' && isCountingRefundable(payment)),
    )
    .map((charge) => ({ charge, left: leftOf(payment, charge) }))
    .filter(({ left }) => left > 0)

/**
 * Whether the charge that counts can be given back. After a lost dispute the rest of it can, once no dispute is open.
 */
function isCountingRefundable({ status, disputes }: Payment): boolean {
  if (status === 'CHARGED_BACK') return disputes.every(({ state }) => state !== 'OPEN')
  return status === 'SUCCEEDED' || status === 'PARTIALLY_REFUNDED'
}

const leftOf = (payment: Payment, charge: Charge): number =>
  charge.amount - charge.amountRefunded - charge.amountDisputed - pendingOf(payment, charge.id)

/**
 * Returns the sum that unfinished refunds of a charge may still take; a refund without a charge belongs to the charge that
 * counts.
 */
const pendingOf = ({ refunds, charges }: Payment, chargeId: string | null): number => {
  const counting = charges.find(({ state }) => state === 'COUNTS')?.id ?? null
  return refunds
    .filter(({ status }) => status === 'PENDING')
    .filter((refund) => (refund.chargeId ?? counting) === chargeId)
    .reduce((sum, { amount }) => sum + amount, 0)
}

/** Returns the reason why there is nothing to give back. */
export function whyNotRefundable({ status, refunds }: Payment): WhyNot {
  if (status === 'PENDING' || status === 'PROCESSING') return 'unpaid'
  if (status === 'DISPUTED') return 'disputed'
  if (status === 'CHARGED_BACK') return 'charged_back'
  if (status === 'FAILED' || status === 'CANCELLED' || status === 'EXPIRED') return 'ended'
  return refunds.some((refund) => refund.status === 'PENDING') ? 'under_way' : 'refunded'
}
