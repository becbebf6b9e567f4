import * as z from 'zod'
import { type Clock, secondsAfter, timestamp } from '#lib/kernel/clock'
import { DomainError, invalidField } from '#lib/kernel/domain-error'
import type { NewId, PaymentId, RefundId } from '#lib/kernel/id'
import { Amount } from '#lib/kernel/money'
import { text } from '#lib/kernel/text'
import type { Write } from '#lib/kernel/write'
import { knownPayment } from '#lib/payments/callbacks/confirm'
import { changeWrites, type Why } from '#lib/payments/change-payment'
import { type FactOf, factsOf } from '#lib/payments/fact'
import { type Payment, withAsking, withFacts } from '#lib/payments/payment'
import { statusOf } from '#lib/payments/payment-status'
import type { PaymentStore } from '#lib/payments/payment-store'
import { type RefundView, viewOf } from '#lib/payments/payment-view'
import type { FirstProvider } from '#lib/payments/provider/first-port'
import type { StartedRefund } from '#lib/payments/provider/provider'
import type { Providers } from '#lib/payments/provider/registry'
import { untilWon } from '#lib/payments/until-won'
import { isKeyKept, pendingBeside, refundsOf } from './refund.ts'

/** What an administrator gives back; all that is left unless told. */
export const RefundDraft = z
  .object({ amount: Amount.optional(), reason: text({ max: 1000 }).nullable().default(null) })
  .meta({ id: 'RefundDraft' })

export type RefundDeps = {
  payments: PaymentStore
  providers: Pick<Providers, 'find'>
  now: Clock
  newId: NewId
}

/** The id set aside for the refund, and the writes that make the answer the one every repetition gets. */
export type RefundClaim = { id: RefundId; receipt: (refund: RefundView) => Write[] }

/**
 * Gives money back. The refund is written, and what is left reckoned with it, before the provider is called under
 * the refund's own id: whatever fails in between, the same claim or the next reconciliation carries it on, and
 * the money goes back once. Throws `not_found`, `payment_not_refundable`, `refund_exceeds_payment`,
 * `validation_failed` for a part of a unit that the provider cannot count, and `provider_unavailable`: the refund then
 * stays PENDING.
 */
export async function refundPayment(
  deps: RefundDeps,
  { id, administrator }: { id: PaymentId; administrator: string },
  draft: z.infer<typeof RefundDraft>,
  claim: RefundClaim,
): Promise<RefundView> {
  const why = { actor: administrator, reason: 'refund' }
  const payment = await untilWon(() => begin(deps, id, draft, claim.id, why))
  return ask(deps, payment, claim.id, why, claim.receipt)
}

/** Carries on a refund that was begun. Safe to repeat; throws `idempotency_in_progress` while another does. */
export async function carryOn(deps: RefundDeps, id: PaymentId, refundId: RefundId, why: Why): Promise<void> {
  const payment = await untilWon(async () => setAside(deps, await found(deps, id), refundId, why))
  await ask(deps, payment, refundId, why)
}

/** Asks the provider for a refund that is set aside, where it is to be asked, and keeps how it stands. */
async function ask(
  deps: RefundDeps,
  payment: Payment,
  refundId: RefundId,
  why: Why,
  receipt: (refund: RefundView) => Write[] = () => [],
): Promise<RefundView> {
  const begun = ours(payment, refundId)
  const provider = await deps.providers.find(payment.provider)
  if (!begun?.money || !provider?.refund) throw new DomainError('provider_unavailable')
  const order = {
    id: refundId,
    key: refundId,
    chargeId: null,
    ...begun.money,
    reason: begun.reason,
    payment: knownPayment(payment),
  }
  const started = isToAskFor(payment, begun, provider, deps.now())
    ? await provider.refund(order).catch(async (error: unknown) => {
        // Should this fail too, a minute passes before anyone asks again.
        await letGo(deps, payment.id, refundId, why).catch(() => undefined)
        throw error
      })
    : null
  return untilWon(async () => {
    const known = await found(deps, payment.id)
    const answer = started && saysSomething(known, refundId, started, provider) ? started : null
    const told = answer ? withFacts(known, [factOf(begun, answer, deps.now())], [], deps.now()) : known
    const view = viewOf(told, deps.now()).refunds.find(({ id }) => id === refundId)
    if (!view) throw new DomainError('internal', { cause: `The refund ${refundId} is gone` })
    await change(deps, known, withAsking(told, refundId, null), why, receipt(view))
    return view
  })
}

async function found({ payments }: RefundDeps, id: PaymentId): Promise<Payment> {
  const payment = await payments.get(id)
  if (!payment) throw new DomainError('not_found')
  return payment
}

/** Longer than any function asks: who has not let go of a refund by then has died. */
const ASKING_SECONDS = 60

const askingUntil = ({ now }: RefundDeps) => timestamp(secondsAfter(now(), ASKING_SECONDS))

/**
 * Sets a refund aside for whoever asks the provider for it. Some providers have no idempotency key, and look for what
 * they have made only before they make it: of two that ask at once both would.
 */
async function setAside(deps: RefundDeps, payment: Payment, refundId: RefundId, why: Why): Promise<Payment> {
  const askedUntil = payment.refundsAskedUntil[refundId]
  if (askedUntil !== undefined && askedUntil > timestamp(deps.now())) {
    throw new DomainError('idempotency_in_progress', { retryAfterSeconds: 1 })
  }
  return change(deps, payment, withAsking(payment, refundId, askingUntil(deps)), why)
}

const letGo = (deps: RefundDeps, id: PaymentId, refundId: RefundId, why: Why): Promise<Payment> =>
  untilWon(async () => {
    const payment = await found(deps, id)
    return change(deps, payment, withAsking(payment, refundId, null), why)
  })

/** Commits the next version of a payment, and what else goes with it, and answers it. */
async function change(
  deps: RefundDeps,
  before: Payment,
  after: Payment,
  why: Why,
  writes: readonly Write[] = [],
): Promise<Payment> {
  const next = { ...after, version: before.version + 1 }
  await deps.payments.commit([...changeWrites(deps, before, next, why), ...writes])
  return next
}

/**
 * A provider that refuses what it seems to have made already has forgotten the first request, not the refund. One that
 * looks for what it has made knows better: what seems to be this refund is then another.
 */
function saysSomething(
  payment: Payment,
  refundId: RefundId,
  { state, providerRefundId }: StartedRefund,
  { findsRefunds = false }: FirstProvider,
): boolean {
  const refund = refundsOf(payment.facts).find(({ id }) => id === refundId)
  return findsRefunds || !(state === 'failed' && providerRefundId === null && refund?.state === 'succeeded')
}

/**
 * Whether a provider is to be asked for a refund that was begun: it has not ended, and asking again cannot make a
 * second one of it. Once the provider has answered, only some tell more that way; the others tell by themselves, or
 * when they are asked about the payment.
 */
export function isToAskFor(
  payment: Payment,
  { id, at }: FactOf<'refund'>,
  { findsRefunds = false }: FirstProvider,
  now: Date,
): boolean {
  const hasEnded = refundsOf(payment.facts).some(
    (refund) => refund.id === id && refund.sureState !== 'pending',
  )
  const isAnswered = payment.facts.some((fact) => fact.id === answerId(id, 'pending'))
  return !hasEnded && (findsRefunds || (!isAnswered && isKeyKept(at, now)))
}

/** The payment with the refund written into it, conditional on nothing else having taken what is left. */
async function begin(
  deps: RefundDeps,
  id: PaymentId,
  { amount, reason }: z.infer<typeof RefundDraft>,
  refundId: RefundId,
  why: Why,
): Promise<Payment> {
  const payment = await found(deps, id)
  if (ours(payment, refundId)) return setAside(deps, payment, refundId, why)
  const now = deps.now()
  const provider = await deps.providers.find(payment.provider)
  refuseUnlessRefundable(payment, provider, now)
  const left = leftOf(payment)
  const wanted = amount ?? left
  if (wanted > left || wanted === 0) {
    throw new DomainError('refund_exceeds_payment', {
      detail: `${left} minor units of ${payment.currency} are left to refund`,
      extensions: { left },
    })
  }
  const money = { amount: wanted, currency: payment.currency }
  const fault = provider?.refuses?.(money)
  if (fault !== undefined) throw invalidField('amount', fault)
  const fact = { id: refundId, kind: 'refund', at: timestamp(now), money, state: 'pending', reason } as const
  const begun = withFacts(payment, [{ ...fact, refundId, providerRefundId: null }], [], now)
  return change(deps, payment, withAsking(begun, refundId, askingUntil(deps)), why)
}

function refuseUnlessRefundable(payment: Payment, provider: FirstProvider | undefined, now: Date): void {
  const status = statusOf(payment, now)
  if (status !== 'SUCCEEDED' && status !== 'PARTIALLY_REFUNDED') {
    throw new DomainError('payment_not_refundable', { detail: `The payment is ${status}` })
  }
  if (!provider?.refund) {
    const detail = `Refunds of ${payment.provider} are made there; what it then tells is kept here`
    throw new DomainError('payment_not_refundable', { detail })
  }
}

/** What may still be given back: pending refunds count, failed ones do not. */
const leftOf = (payment: Payment): number =>
  Math.max(0, payment.amount - payment.amountRefunded - pendingBeside(payment.facts))

/** The fact by which a refund of ours was begun. */
export const ours = (payment: Payment, refundId: RefundId): FactOf<'refund'> | undefined =>
  factsOf(payment.facts, 'refund').find(({ id }) => id === refundId)

/** The id of the fact that a provider's answer to our own request is. */
const answerId = (refundId: string, state: StartedRefund['state']): string => `${refundId}:${state}`

const factOf = (begun: FactOf<'refund'>, { state, providerRefundId }: StartedRefund, now: Date) => ({
  ...begun,
  id: answerId(begun.id, state),
  state,
  providerRefundId,
  at: timestamp(now),
})
