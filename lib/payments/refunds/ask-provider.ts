import type { Journal } from '#lib/journal/journal'
import { timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import type { PaymentId, RefundId } from '#lib/kernel/id'
import type { Write } from '#lib/kernel/write'
import { type StoreDeps, storeStated } from '#lib/payments/callbacks/store-stated'
import { changePayment, type Why } from '#lib/payments/change/change-payment'
import { type RefundView, refundView } from '#lib/payments/payment-view'
import { merge, type Stated, withProviderFacts } from '#lib/payments/state/merge'
import { type Payment, withAttempt } from '#lib/payments/state/payment'
import { isSafeToRepeat } from '#lib/providers/failed-request'
import type { PaymentProvider, StartedRefund } from '#lib/providers/provider'
import { knownPayment, readPayment } from '#lib/providers/read-payment'
import type { Providers } from '#lib/providers/registry'
import {
  type Attempt,
  attemptAfter,
  attemptsMade,
  isBeingAsked,
  isSameAttempt,
  keyOf,
  readabilityOf,
} from '../state/attempt.ts'
import { type Refund, refundsOf } from '../state/refund.ts'

export type RefundDeps = StoreDeps & {
  providers: Pick<Providers, 'find'>
  journal: Journal
}

/** Returns the writes that store the answer, for a repetition of the request. */
type Receipt = (refund: RefundView) => Write[]

/**
 * Calls the provider once for an attempt stored as `asking`, and stores the answer. Without one, stores whether the
 * request was certainly not carried out, and may be sent again. Throws `provider_unavailable`.
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
    const isUnsent = isSafeToRepeat(error, { listsLate: provider.listsRefundsLate === true })
    const withLostAnswer = (known: Payment) =>
      withCallEnded(deps, known, refundId, attempt, (own) =>
        // A callback that came since outranks the lost answer.
        own.state === 'asking' ? { ...own, state: 'unknown', isUnsent } : own,
      )
    // Without this write the attempt stays `asking`: a later reading ends it.
    await changePayment(deps, payment.id, why, withLostAnswer).catch(() => undefined)
    throw error
  })
  const withAnswer = (known: Payment) => {
    const factId = `${key}:${started.state}`
    const fact = { ...factOf(started, deps.now()), refundId, chargeId, money, reason, id: factId }
    return withProviderFacts(withCallEnded(deps, known, refundId, attempt), [fact], [])
  }
  return changeRefund(deps, { id: payment.id, refundId }, why, withAnswer, receipt)
}

/** Stores in a payment that an attempt's call has ended, unless another attempt was begun since. */
function withCallEnded(
  { now }: RefundDeps,
  payment: Payment,
  refundId: RefundId,
  attempt: Attempt,
  edit: (own: Attempt) => Attempt = (own) => own,
): Payment {
  const own = payment.attempts[refundId]
  if (!own || !isSameAttempt(own, attempt)) return payment
  return withAttempt(payment, refundId, edit({ ...own, calledAt: timestamp(now()) }))
}

const factOf = ({ state, providerRefundId }: StartedRefund, now: Date) =>
  ({ kind: 'refund', at: timestamp(now), state, providerRefundId }) as const

/**
 * Carries on a refund that was begun by an earlier request. The provider is read first. A refund that the provider
 * lacks, and whose request was certainly not carried out, is requested now; after a lost answer it is never requested
 * again. Throws `idempotency_in_progress` while another request calls the provider.
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
  const refusal = () => new DomainError('idempotency_in_progress', { retryAfterSeconds: 1 })
  if (attempt && isBeingAsked(attempt, deps.now())) throw refusal()
  const reading = await readPayment(provider, { payment }, deps.now)
  const stated: Stated | null = reading && { kind: 'reading', reading, references: [] }
  const known = stated ? merge(payment, stated).next : payment
  if (awaitsFirstAttempt(ownRefund(known, refundId))) {
    const begun = await beginAttempt(deps, provider, { id, refundId }, why, {
      mayAttempt: awaitsFirstAttempt,
      refusal,
    })
    return askProvider(deps, provider, begun, refundId, why, receipt)
  }
  const view = viewIn(deps, refundId)
  const stored = await storeStated(deps, id, stated, { why, also: (next) => receipt(view(next)) })
  return view(stored.payment)
}

const awaitsFirstAttempt = ({ attempt, state }: Refund): boolean =>
  attemptsMade(attempt) === 0 && state === 'pending'

type Next = {
  /** Whether the refund, as stored when the attempt begins, may be attempted. */
  mayAttempt: (refund: Refund) => boolean
  /** Returns the error of a refund that may not be attempted. */
  refusal: () => Error
  /** Further writes of the transaction. */
  also?: Write[]
}

/** Stores the next attempt at a refund. Only the function that stored it calls the provider. */
export const beginAttempt = (
  deps: RefundDeps,
  provider: PaymentProvider,
  { id, refundId }: { id: PaymentId; refundId: RefundId },
  why: Why,
  { mayAttempt, refusal, also = [] }: Next,
): Promise<Payment> => {
  const begin = (payment: Payment) => {
    const refund = ownRefund(payment, refundId)
    if (!mayAttempt(refund)) throw refusal()
    const next = attemptAfter(refund.attempt ?? undefined, readabilityOf(provider), deps.now())
    return withAttempt(payment, refundId, next)
  }
  return changePayment(deps, id, why, begin, () => also)
}

/** Stores an edit of a payment with the receipt for one refund of it, and returns that refund as stored. */
async function changeRefund(
  deps: RefundDeps,
  { id, refundId }: { id: PaymentId; refundId: RefundId },
  why: Why,
  edit: (payment: Payment) => Payment,
  receipt: Receipt,
): Promise<RefundView> {
  const view = viewIn(deps, refundId)
  return view(await changePayment(deps, id, why, edit, (next) => receipt(view(next))))
}

const viewIn =
  ({ now }: RefundDeps, refundId: RefundId) =>
  (payment: Payment): RefundView => {
    const [shown] = refundView(payment, ownRefund(payment, refundId), now())
    if (!shown) throw new DomainError('internal', { cause: `The refund ${refundId} is gone` })
    return shown
  }

/** Returns a refund that was ordered here. Throws `not_found` for one that was made at the provider. */
export function ownRefund(payment: Payment, refundId: RefundId): Refund {
  const refund = refundsOf(payment).find(({ id }) => id === refundId)
  if (!refund) throw new DomainError('not_found')
  return refund
}
