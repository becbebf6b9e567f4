import * as z from 'zod'
import { newAction } from '#lib/journal/journal'
import { timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import { administratorId, type PaymentId, type RefundId } from '#lib/kernel/id'
import { text } from '#lib/kernel/text'
import type { Write } from '#lib/kernel/write'
import { storeStated } from '#lib/payments/callbacks/store-stated'
import { changePayment, type Why } from '#lib/payments/change/change-payment'
import { type RefundView, refundView } from '#lib/payments/payment-view'
import { type Fact, factsOf } from '#lib/payments/state/fact'
import { type Payment, withAttempt, withOwnFact } from '#lib/payments/state/payment'
import { isUnresolved } from '#lib/payments/state/payment-status'
import type { PaymentProvider } from '#lib/providers/provider'
import { readPayment } from '#lib/providers/read-payment'
import { isSameAttempt, keyOf } from '../state/attempt.ts'
import { type Refund, refundsOf, shownId } from '../state/refund.ts'
import { askProvider, beginAttempt, ownRefund, type RefundDeps } from './ask-provider.ts'

/** An administrator's finding about a refund that its provider does not know. */
export const Resolution = z
  .object({
    outcome: z.enum(['RETRY', 'SUCCEEDED', 'FAILED']).meta({
      description:
        'RETRY makes a new attempt with a new key of the provider; SUCCEEDED and FAILED say what became of it, until the provider says otherwise. FAILED too where the payment shows the same refund already, under a name of the provider that nobody could match',
    }),
    note: text({ min: 1, max: 1000 }).meta({ example: 'Checked by telephone.' }),
  })
  .meta({ id: 'RefundResolution' })
type Resolution = z.infer<typeof Resolution>

type Which = { id: PaymentId; refundId: RefundId; administrator: string }

/**
 * Resolves a refund that its provider does not know: stores the outcome that an administrator states, or tries again. The
 * provider is read first, where it can be. Each outcome is conditional on the attempt that the administrator saw: of several
 * administrators at once one resolves it, and the others are refused. The same outcome again returns the same. Throws
 * `not_found` and, when the provider does not answer, `unavailable`. Throws `refund_not_resolvable` with its
 * `refundStatus` for a refund that needs no resolution, is held by the provider or cannot be retried.
 */
export async function resolveRefund(
  deps: RefundDeps,
  which: Which,
  resolution: Resolution,
): Promise<RefundView> {
  const { id, refundId, administrator } = which
  const why = { actor: administratorId(administrator), reason: `refund resolved: ${resolution.outcome}` }
  const seen = await paymentWith(deps, id, refundId)
  const refund = refundIn(seen, refundId)
  if (isResolvedAs(refund, resolution)) return viewIn(deps, seen, refundId)
  refuseUnlessUnresolved(deps, refund)
  const provider = await deps.providers.find(seen.provider)
  const read = await readAgain(deps, seen, provider, why)
  if (read !== seen) refuseUnlessUnresolved(deps, refundIn(read, refundId))
  const isUnchanged = (current: Refund) =>
    isSameAttempt(current.attempt, refund?.attempt ?? null) && isUnresolved(current, deps.now())
  const { outcome, note } = resolution
  if (outcome !== 'RETRY') return storeOutcome(deps, which, { outcome, note }, why, isUnchanged)
  if (!provider?.startRefund || !provider.readPayment) throw notResolvable(refund)
  const next = {
    mayAttempt: isUnchanged,
    refusal: () => notResolvable(refund),
    also: journalEntriesOf(deps, which, resolution),
  }
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

/** The state of the attempt after an outcome. RETRY sets none: it begins another attempt. */
const ATTEMPT_STATES = { SUCCEEDED: 'done', FAILED: 'failed', RETRY: null } as const

const isResolvedAs = (refund: Refund | undefined, { outcome }: Resolution): boolean =>
  refund?.attempt?.isResolved === true && refund.attempt.state === ATTEMPT_STATES[outcome]

function refuseUnlessUnresolved({ now }: RefundDeps, refund: Refund | undefined): void {
  if (!refund || !isUnresolved(refund, now())) throw notResolvable(refund)
}

const notResolvable = (refund: Refund | undefined): DomainError =>
  new DomainError('refund_not_resolvable', {
    detail: 'Its provider knows it, or cannot be read to try it again',
    extensions: { refundStatus: (refund?.state ?? 'pending').toUpperCase() },
  })

/** Reads the payment from its provider and returns it as it is stored then; returns `seen` itself where it cannot be read. */
async function readAgain(
  deps: RefundDeps,
  seen: Payment,
  provider: PaymentProvider | undefined,
  why: Why,
): Promise<Payment> {
  const reading = provider?.readPayment ? await readPayment(provider, { payment: seen }, deps.now) : null
  if (!reading) return seen
  const stated = { kind: 'reading', reading, references: [] } as const
  const { payment } = await storeStated(deps, seen.id, stated, { why })
  return payment
}

/** Stores what became of a refund. A resolution that another administrator has stored meanwhile stays. */
async function storeOutcome(
  deps: RefundDeps,
  which: Which,
  resolution: Resolution & { outcome: 'SUCCEEDED' | 'FAILED' },
  why: Why,
  isUnchanged: (refund: Refund) => boolean,
): Promise<RefundView> {
  const { id, refundId } = which
  const { outcome, note } = resolution
  const resolve = (payment: Payment) => {
    const refund = ownRefund(payment, refundId)
    const { attempt } = refund
    if (!attempt || !isUnchanged(refund)) throw notResolvable(refund)
    const at = timestamp(deps.now())
    const fact: Fact = {
      id: `resolution:${keyOf(refundId, attempt)}:${outcome}`,
      kind: 'resolution',
      at,
      refundId,
      outcome: outcome === 'SUCCEEDED' ? 'succeeded' : 'failed',
      // Of these, the facts of other refunds have no effect.
      overrules: factsOf(payment.facts, 'refund').map((stated) => stated.id),
      note,
    }
    const resolved = { ...attempt, state: ATTEMPT_STATES[outcome], isResolved: true }
    return withAttempt(withOwnFact(payment, fact), refundId, resolved)
  }
  try {
    const next = await changePayment(deps, id, why, resolve, () => journalEntriesOf(deps, which, resolution))
    return viewIn(deps, next, refundId)
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'refund_not_resolvable') throw error
    // Another administrator may have stored the same outcome meanwhile.
    const current = await paymentWith(deps, id, refundId)
    if (!isResolvedAs(refundIn(current, refundId), resolution)) throw error
    return viewIn(deps, current, refundId)
  }
}

function viewIn({ now }: RefundDeps, payment: Payment, refundId: RefundId): RefundView {
  const refund = refundIn(payment, refundId)
  // A refund whose sum is unknown has no view.
  const [view] = refund ? refundView(payment, refund, now()) : []
  if (!view) throw new DomainError('not_found')
  return view
}

const journalEntriesOf = (
  { journal, newId }: RefundDeps,
  { id: subject, refundId, administrator }: Which,
  { outcome, note }: Resolution,
): Write[] => {
  const details = { refundId, outcome, note }
  return [
    journal.record(newAction(newId, { by: administrator, subject, action: 'refund.resolved', details })),
  ]
}
