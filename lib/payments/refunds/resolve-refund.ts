import * as z from 'zod'
import { newAction } from '#lib/journal/journal'
import { DomainError } from '#lib/kernel/domain-error'
import type { PaymentId, RefundId } from '#lib/kernel/id'
import { text } from '#lib/kernel/text'
import type { Write } from '#lib/kernel/write'
import { isUnresolved } from '#lib/payments/attention'
import { changePayment, type Why } from '#lib/payments/change-payment'
import { withReading } from '#lib/payments/merge'
import { type Payment, withAttempt } from '#lib/payments/payment'
import { type RefundView, refundView } from '#lib/payments/payment-view'
import type { PaymentProvider } from '#lib/payments/provider/provider'
import { readPayment } from '#lib/payments/read-payment'
import { askProvider, beginAttempt, ownRefund, type RefundDeps } from './ask-provider.ts'
import { attemptsMade } from './attempt.ts'
import { type Refund, refundsOf, shownId } from './refund.ts'

/** An administrator's finding about a refund that its provider does not know. */
export const Resolution = z
  .object({
    outcome: z.enum(['RETRY', 'SUCCEEDED', 'FAILED']).meta({
      description:
        'RETRY makes a new attempt with a new key of the provider; SUCCEEDED and FAILED say what became of it, until the provider says otherwise. FAILED too where the payment shows the same refund already, under a name of the provider that nobody could match',
    }),
    note: text({ min: 1, max: 1000 }),
  })
  .meta({ id: 'RefundResolution' })
type Resolution = z.infer<typeof Resolution>

type Which = { id: PaymentId; refundId: RefundId; administrator: string }

/**
 * Ends a refund that its provider does not know by an administrator's word, or tries it again. The provider is read
 * first, where it can be. The same outcome again answers the same. Throws `not_found`, `refund_not_resolvable` with its
 * `refundStatus` for a refund that needs no resolution, that the provider holds, or that cannot be tried again, and
 * `unavailable` when the provider does not answer.
 */
export async function resolveRefund(
  deps: RefundDeps,
  which: Which,
  resolution: Resolution,
): Promise<RefundView> {
  const { id, refundId, administrator } = which
  const why = { actor: `admin:${administrator}`, reason: `refund resolved: ${resolution.outcome}` }
  const seen = await paymentWith(deps, id, refundId)
  const refund = refundIn(seen, refundId)
  if (isResolvedAs(refund, resolution)) return shown(deps, seen, refundId)
  refuseUnlessUnresolved(deps, refund)
  const provider = await deps.providers.find(seen.provider)
  const read = await afterReading(deps, seen, provider, refundId, why)
  if (resolution.outcome !== 'RETRY') return settle(deps, read, which, resolution, why)
  if (!provider?.startRefund || !provider.readPayment) throw notResolvable(refund)
  const follows = attemptsMade(read.attempts[refundId])
  const next = { follows, overtaken: () => notResolvable(refund), also: recorded(deps, which, resolution) }
  const begun = await beginAttempt(deps, provider, which, why, next)
  return askProvider(deps, provider, begun, refundId, why)
}

async function paymentWith({ payments }: RefundDeps, id: PaymentId, refundId: RefundId): Promise<Payment> {
  const payment = await payments.get(id)
  if (!payment || !refundsOf(payment).some((refund) => shownId(id, refund) === refundId)) {
    throw new DomainError('not_found')
  }
  return payment
}

const refundIn = (payment: Payment, refundId: RefundId): Refund | undefined =>
  refundsOf(payment).find((refund) => shownId(payment.id, refund) === refundId)

const OUTCOMES = { SUCCEEDED: 'done', FAILED: 'failed', RETRY: null } as const

const isResolvedAs = (refund: Refund | undefined, { outcome }: Resolution): boolean =>
  refund?.attempt?.resolvedAfter != null && refund.attempt.state === OUTCOMES[outcome]

function refuseUnlessUnresolved({ now }: RefundDeps, refund: Refund | undefined): void {
  if (!refund || !isUnresolved(refund, now())) throw notResolvable(refund)
}

const notResolvable = (refund: Refund | undefined): DomainError =>
  new DomainError('refund_not_resolvable', {
    detail: 'Its provider knows it, or cannot be read to try it again',
    extensions: { refundStatus: (refund?.state ?? 'pending').toUpperCase() },
  })

/** The payment after its provider was read at this moment; refuses a refund that the provider turns out to hold. */
async function afterReading(
  deps: RefundDeps,
  seen: Payment,
  provider: PaymentProvider | undefined,
  refundId: RefundId,
  why: Why,
): Promise<Payment> {
  const reading = provider?.readPayment ? await readPayment(provider, { payment: seen }) : null
  if (!reading) return seen
  const merged = (payment: Payment) => withReading(payment, reading, deps.now()).next
  const read = await changePayment(deps, seen.id, why, merged)
  refuseUnlessUnresolved(deps, refundIn(read, refundId))
  return read
}

/** Conditional on the attempt that was seen: an attempt that was begun meanwhile is not resolved with it. */
async function settle(
  deps: RefundDeps,
  seen: Payment,
  which: Which,
  resolution: Resolution,
  why: Why,
): Promise<RefundView> {
  const { refundId } = which
  const { outcome, note } = resolution
  const resolve = (payment: Payment) => {
    const { attempt } = ownRefund(payment, refundId)
    const isSame = attempt?.at === seen.attempts[refundId]?.at
    if (!attempt || !isSame || outcome === 'RETRY') throw notResolvable(refundIn(payment, refundId))
    const resolved = { ...attempt, state: OUTCOMES[outcome], resolvedAfter: payment.facts.length, note }
    return withAttempt(payment, refundId, resolved)
  }
  const next = await changePayment(deps, seen.id, why, resolve, () => recorded(deps, which, resolution))
  return shown(deps, next, refundId)
}

function shown({ now }: RefundDeps, payment: Payment, refundId: RefundId): RefundView {
  const refund = refundIn(payment, refundId)
  const [view] = refund ? refundView(payment, refund, now()) : []
  if (!view) throw new DomainError('not_found')
  return view
}

/** The journal's entry of a resolution. */
const recorded = (
  { journal, newId }: RefundDeps,
  { id: subject, refundId, administrator }: Which,
  { outcome, note }: Resolution,
): Write[] => {
  const details = { refundId, outcome, note }
  return [
    journal.record(newAction(newId, { by: administrator, subject, action: 'refund.resolved', details })),
  ]
}
