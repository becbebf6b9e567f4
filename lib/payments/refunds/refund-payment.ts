import * as z from 'zod'
import { newAction } from '#lib/journal/journal'
import { timestamp } from '#lib/kernel/clock'
import { DomainError, invalidField } from '#lib/kernel/domain-error'
import { administratorId, type PaymentId, type RefundId } from '#lib/kernel/id'
import { Amount } from '#lib/kernel/money'
import type { OnceAs } from '#lib/kernel/once'
import { retryConflicts } from '#lib/kernel/retry'
import { text } from '#lib/kernel/text'
import { changeOf, type Why } from '#lib/payments/change/change-payment'
import type { RefundView } from '#lib/payments/payment-view'
import { type Charge, foldOf } from '#lib/payments/state/fold'
import { type Payment, revised, withAttempt, withOwnFact } from '#lib/payments/state/payment'
import { statusOf } from '#lib/payments/state/payment-status'
import type { PaymentProvider } from '#lib/providers/provider'
import { attemptAfter, readabilityOf } from '../state/attempt.ts'
import { askProvider, carryOn, type RefundDeps } from './ask-provider.ts'

/** The sum to give back; all that is left unless given. */
export const RefundDraft = z
  .object({
    amount: Amount.optional(),
    reason: text({ max: 1000 }).nullable().default(null),
    chargeId: z.string().min(1).max(255).nullable().default(null).meta({
      description: "The provider's id of the charge to give back; the one that counts unless given",
    }),
  })
  .meta({ id: 'RefundDraft', example: { amount: 150_000 } })
type RefundDraft = z.infer<typeof RefundDraft>

type Which = { id: PaymentId; administrator: string }

/**
 * Gives money back. `claim.id` is the id of the refund to make. The refund is stored and taken off the rest of its charge,
 * and then the provider is called, once. After any failure in between the payment is read to learn the outcome;
 * money never goes back twice. Throws `not_found`, `payment_not_refundable`, `refund_exceeds_payment`, `validation_failed`
 * for an unknown charge and for a part that the provider cannot refund, and `provider_unavailable`: the refund then stays
 * PENDING.
 */
export async function refundPayment(
  deps: RefundDeps,
  which: Which,
  draft: RefundDraft,
  claim: OnceAs<'refund', RefundView>,
): Promise<RefundView> {
  const { id, administrator } = which
  const why = { actor: administratorId(administrator), reason: 'refund' }
  const isBegun = claim.resumed && (await deps.payments.get(id))?.facts.some((fact) => fact.id === claim.id)
  if (isBegun) return carryOn(deps, id, claim.id, why, claim.receipt)
  const { payment, provider } = await retryConflicts(() => begin(deps, which, draft, claim.id, why))
  return askProvider(deps, provider, payment, claim.id, why, claim.receipt)
}

/** Stores the refund in its payment, on the condition that what is left was not taken since. */
async function begin(
  deps: RefundDeps,
  { id, administrator: by }: Which,
  { amount, reason, chargeId }: RefundDraft,
  refundId: RefundId,
  why: Why,
): Promise<{ payment: Payment; provider: PaymentProvider }> {
  const payment = await deps.payments.get(id)
  if (!payment) throw new DomainError('not_found')
  const now = deps.now()
  const provider = await deps.providers.find(payment.provider)
  const charge = requireRefundable(payment, chargeId, now)
  if (!provider?.startRefund) {
    const detail = `Refunds of ${payment.provider} are made there; what it then tells is kept here`
    throw new DomainError('payment_not_refundable', { detail })
  }
  const { currency } = charge.money
  const wanted = amountWanted(charge, amount)
  if (provider.refundsWholeOnly && wanted !== charge.money.amount) {
    throw invalidField('amount', `must be all of the charge: ${payment.provider} gives back no part of it`)
  }
  const fault = provider.refuses?.({ amount: wanted, currency })
  if (fault !== undefined) throw invalidField('amount', fault)
  const begun = {
    id: refundId,
    kind: 'refund',
    at: timestamp(now),
    money: { amount: wanted, currency },
    state: 'pending',
    reason,
    refundId,
    chargeId: charge.id,
    providerRefundId: null,
  } as const
  const firstAttempt = attemptAfter(undefined, readabilityOf(provider), now)
  const edited = withAttempt(withOwnFact(payment, begun), refundId, firstAttempt)
  const details = { refundId, amount: wanted, currency, chargeId: begun.chargeId }
  const action = newAction(deps.newId, { by, subject: id, action: 'payment.refunded', details })
  const { payment: next, writes } = await changeOf(deps, payment, revised(payment, edited, now), why)
  await deps.payments.commit([...writes, deps.journal.record(action)])
  return { payment: next, provider }
}

const REFUNDABLE = ['SUCCEEDED', 'PARTIALLY_REFUNDED']

/** Returns the charge to give back. A charge that does not count is refundable in every status of the payment. */
function requireRefundable(payment: Payment, chargeId: string | null, now: Date): Charge {
  const { charges, countingCharge } = foldOf(payment)
  const named = chargeId === null ? countingCharge : charges.find(({ id }) => id === chargeId)
  if (!named && chargeId !== null) {
    throw invalidField('chargeId', 'must be the id of a charge of this payment')
  }
  if (named?.state === 'second' || named?.state === 'unasked') return named
  const status = statusOf(payment, now)
  // Lost disputes took a part of the charge, and the rest can be given back.
  const isPartLost =
    status === 'CHARGED_BACK' &&
    named?.disputes.every(({ state }) => state !== 'open') &&
    named.lost < named.money.amount
  const isStatusRefundable = REFUNDABLE.includes(status) || isPartLost
  if (named?.state !== 'counts' || !isStatusRefundable) {
    throw new DomainError('payment_not_refundable', { detail: `The payment is ${status}` })
  }
  return named
}

function amountWanted({ left, money }: Charge, amount: number | undefined): number {
  const wanted = amount ?? left
  if (wanted <= left && wanted > 0) return wanted
  throw new DomainError('refund_exceeds_payment', {
    detail: `${left} minor units of ${money.currency} are left to give back`,
    extensions: { left },
  })
}
