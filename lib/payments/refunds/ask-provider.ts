import type { Journal } from '#lib/journal/journal'
import { timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import type { PaymentId, RefundId } from '#lib/kernel/id'
import type { Write } from '#lib/kernel/write'
import { type ChangeDeps, changePayment, type Why } from '#lib/payments/change-payment'
import { withReading, withWords } from '#lib/payments/merge'
import { type Payment, withAttempt } from '#lib/payments/payment'
import { type RefundView, refundView } from '#lib/payments/payment-view'
import type { PaymentProvider, StartedRefund } from '#lib/payments/provider/provider'
import type { Providers } from '#lib/payments/provider/registry'
import { isCertainlyUndone } from '#lib/payments/provider/undone'
import { knownPayment, readPayment } from '#lib/payments/read-payment'
import { attemptAfter, attemptsMade, isBeingAsked, keyOf } from './attempt.ts'
import { type Refund, refundsOf } from './refund.ts'

export type RefundDeps = ChangeDeps & {
  providers: Pick<Providers, 'find'>
  journal: Pick<Journal, 'record'>
}

type Receipt = (refund: RefundView) => Write[]

/**
 * Calls the provider for an attempt that was written as `asking`, once, and stores what came of it: the answer, that no
 * answer came, or that the request was certainly not carried out and may be sent again. Throws `provider_unavailable`.
 */
export async function askProvider(
  deps: RefundDeps,
  provider: PaymentProvider,
  payment: Payment,
  refundId: RefundId,
  why: Why,
  receipt: Receipt = () => [],
): Promise<RefundView> {
  const { money, attempt, chargeId, reason } = ownRefund(payment, refundId)
  if (!money || !attempt || !provider.startRefund) throw new DomainError('provider_unavailable')
  const key = keyOf(refundId, attempt)
  const order = { id: refundId, key, payment: knownPayment(payment), chargeId, ...money, reason }
  const started = await provider.startRefund(order).catch(async (error: unknown) => {
    const failed = { ...attempt, state: 'unknown', isUnsent: isCertainlyUndone(error) } as const
    const lost = (known: Payment) => withAttempt(known, refundId, failed)
    await changePayment(deps, payment.id, why, lost).catch(() => undefined)
    throw error
  })
  const answered = (known: Payment) =>
    withWords(
      known,
      [{ ...factOf(started, deps.now()), refundId, chargeId, money, reason, id: `${key}:${started.state}` }],
      [],
    )
  return changeRefund(deps, { id: payment.id, refundId }, why, answered, receipt)
}

const factOf = ({ state, providerRefundId }: StartedRefund, now: Date) =>
  ({ kind: 'refund', at: timestamp(now), state, providerRefundId }) as const

/**
 * Carries on a refund that was begun by an earlier request. The provider is read first. A refund that it does not hold,
 * and was certainly not called for, is asked for now; one whose answer was lost is never asked for again. Throws
 * `idempotency_in_progress` while another request calls the provider.
 */
export async function carryOn(
  deps: RefundDeps,
  id: PaymentId,
  refundId: RefundId,
  why: Why,
  receipt: Receipt,
): Promise<RefundView> {
  const payment = await deps.payments.get(id)
  if (!payment) throw new DomainError('not_found')
  const { attempt } = ownRefund(payment, refundId)
  const provider = await deps.providers.find(payment.provider)
  if (!provider) throw new DomainError('provider_unavailable')
  const overtaken = () => new DomainError('idempotency_in_progress', { retryAfterSeconds: 1 })
  if (attempt && isBeingAsked(attempt, deps.now())) throw overtaken()
  const reading = await readPayment(provider, { payment })
  const merged = (known: Payment) => (reading ? withReading(known, reading, deps.now()).next : known)
  if (isUnasked(ownRefund(merged(payment), refundId))) {
    const begun = await beginAttempt(deps, provider, { id, refundId }, why, { follows: 0, overtaken })
    return askProvider(deps, provider, begun, refundId, why, receipt)
  }
  return changeRefund(deps, { id, refundId }, why, merged, receipt)
}

const isUnasked = ({ attempt, state }: Refund): boolean => attemptsMade(attempt) === 0 && state === 'pending'

/**
 * The number of the attempt before, 0 for none; the error when another attempt was faster; and the writes of the same
 * transaction.
 */
type Next = { follows: number; overtaken: () => Error; also?: Write[] }

/** Writes the next attempt at a refund, which lets its writer alone call the provider. */
export const beginAttempt = (
  deps: RefundDeps,
  provider: PaymentProvider,
  { id, refundId }: { id: PaymentId; refundId: RefundId },
  why: Why,
  { follows, overtaken, also = [] }: Next,
): Promise<Payment> => {
  const begin = (payment: Payment) => {
    const { attempt, state } = ownRefund(payment, refundId)
    if (attemptsMade(attempt) !== follows || state !== 'pending') throw overtaken()
    const next = attemptAfter(attempt ?? undefined, provider.readPayment !== undefined, deps.now())
    return withAttempt(payment, refundId, next)
  }
  return changePayment(deps, id, why, begin, () => also)
}

/** Stores an edit of a payment with the receipt for one refund of it, and answers that refund as it then stands. */
async function changeRefund(
  deps: RefundDeps,
  { id, refundId }: { id: PaymentId; refundId: RefundId },
  why: Why,
  edit: (payment: Payment) => Payment,
  receipt: Receipt,
): Promise<RefundView> {
  const view = (payment: Payment) => {
    const [shown] = refundView(payment, ownRefund(payment, refundId), deps.now())
    if (!shown) throw new DomainError('internal', { cause: `The refund ${refundId} is gone` })
    return shown
  }
  return view(await changePayment(deps, id, why, edit, (next) => receipt(view(next))))
}

/** A refund of ours. Throws `not_found` for any other. */
export function ownRefund(payment: Payment, refundId: RefundId): Refund {
  const refund = refundsOf(payment).find(({ id }) => id === refundId)
  if (!refund) throw new DomainError('not_found')
  return refund
}
