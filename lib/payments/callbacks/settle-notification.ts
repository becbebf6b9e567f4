import { type Clock, timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import { type NewId, PaymentId } from '#lib/kernel/id'
import type { Money } from '#lib/kernel/money'
import { type Write, WriteConflict } from '#lib/kernel/write'
import { changeWrites } from '#lib/payments/change-payment'
import type { Statement } from '#lib/payments/fact'
import { type Payment, withFacts } from '#lib/payments/payment'
import { isAskedFor } from '#lib/payments/payment-status'
import type { PaymentStore } from '#lib/payments/payment-store'
import type { Providers } from '#lib/payments/provider/registry'
import { isBehind } from '#lib/payments/refunds/refund'
import { untilWon } from '#lib/payments/until-won'
import { knownPayment, type Telling, tellings } from './confirm.ts'
import type { Inbox, Outcome } from './inbox.ts'
import type { Notification } from './notification.ts'

export type SettleDeps = {
  payments: PaymentStore
  inbox: Inbox
  providers: Pick<Providers, 'find'>
  now: Clock
  newId: NewId
}

/** More than any payment's life has; it only bounds what a provider may make us keep in one item. */
const FACT_LIMIT = 500

/**
 * Brings a kept notification to its end: into the payment it speaks of, or to wait for that payment. Safe to
 * repeat, in parallel too: however many settle it, the payment moves once, and what one began another ends. What
 * is not confirmed is asked about first, and waits for as long as the provider's API does not say so too.
 * Throws `unavailable` when that does not answer.
 */
export async function settle(deps: SettleDeps, notification: Notification): Promise<void> {
  const { provider, references, status } = notification
  // Whoever processed it may have died before it looked for what waits by the names learnt.
  if (status === 'PROCESSED') return settleWaiting(deps, provider, references)
  if (status !== 'UNMATCHED' || (await apply(deps, notification)) || notification.waits) return
  // The payment may be written after the first look, and then look here before the word is left: look again.
  await apply(deps, await waitFor(deps, notification))
}

/** Settles what waits for a payment by these names. Call it once they are written. */
export async function settleWaiting(
  deps: SettleDeps,
  provider: string,
  references: readonly string[],
): Promise<void> {
  if (references.length === 0) return
  for (const waiting of await deps.inbox.waiting(provider, references)) {
    // Nobody who is here can have the provider call back again: what it does not confirm now goes on waiting.
    await apply(deps, waiting).catch((error: unknown) => {
      const isPassing = error instanceof DomainError && error.code === 'unavailable'
      if (waiting.confirmed || !isPassing) throw error
    })
  }
}

const UNCONFIRMED = "The provider's API has not confirmed it"

/** Leaves word that a notification waits, unless another has closed it meanwhile. */
async function waitFor({ inbox }: SettleDeps, notification: Notification): Promise<Notification> {
  try {
    return await inbox.wait(notification.confirmed ? notification : { ...notification, detail: UNCONFIRMED })
  } catch (error) {
    const now = error instanceof WriteConflict ? await inbox.get(notification.id) : undefined
    if (now && now.status !== 'UNMATCHED') return now
    throw error
  }
}

/** Applies a notification to its payment; false when there is no such payment yet, or nobody confirms it. */
async function apply(deps: SettleDeps, notification: Notification): Promise<boolean> {
  if (notification.status !== 'UNMATCHED') return true
  const found = await findPayment(deps.payments, notification)
  if (!found) return false
  const told = await toldBy(deps, notification, found)
  if (told.length === 0) return false
  let known: Payment | undefined = found
  const learnt = await untilWon(async () => {
    const payment = known ?? (await deps.payments.get(found.id))
    known = undefined
    if (!payment) return []
    const change = changeOf(deps, payment, notification, told)
    try {
      await deps.payments.commit(change.writes)
      return change.learnt
    } catch (error) {
      // Another copy of it may have been faster: then all is done.
      if (!(error instanceof WriteConflict)) throw error
      if ((await deps.inbox.get(notification.id))?.status !== 'UNMATCHED') return []
      throw error
    }
  })
  await settleWaiting(deps, notification.provider, learnt)
  return true
}

/**
 * What a notification tells of its payment: its own statement, or what the provider's API says instead, once that says
 * a word of the same matter. One that only points at a payment is told of by the API alone.
 */
export async function toldBy(
  { providers }: SettleDeps,
  { statement, confirmed, provider: name, eventId, type, references }: Notification,
  payment: Payment | null,
  isDryRun = false,
): Promise<Telling[]> {
  if (statement && confirmed) return [{ eventId, type, references, statement }]
  const provider = await providers.find(name)
  if (!provider) return []
  const claim = { eventId, type, references, statement }
  const asking = { references, payment: payment && knownPayment(payment), claim, isDryRun }
  const told = await tellings(provider, asking)
  const statements = told.map((telling) => telling.statement)
  return !statement || bearsOut(statements, statement) ? told : []
}

/**
 * Whether what an API says settles what a callback claimed. How a payment stands settles any claim of that; money that
 * went back, or is disputed, is settled only by what tells of no less: the API may be behind its own callback.
 */
function bearsOut(told: readonly Statement[], claimed: Statement): boolean {
  const refunds = told.filter((said) => said.kind === 'refund')
  const totals = told.filter((said) => said.kind === 'refunded_total').map(amountOf)
  if (claimed.kind === 'refunded_total') {
    const given = refunds.filter(({ state }) => state === 'succeeded').map(amountOf)
    return Math.max(sum(given), ...totals) >= amountOf(claimed)
  }
  if (claimed.kind === 'refund') {
    const { providerRefundId: name, state } = claimed
    const isTold = refunds.some((said) => said.providerRefundId === name && !isBehind(said.state, state))
    return isTold || totals.some((total) => total >= amountOf(claimed))
  }
  if (claimed.kind !== 'dispute') return told.some(({ kind }) => !MONEY_BACK.includes(kind))
  return told.some((said) => said.kind === 'dispute' && said.disputeId === claimed.disputeId)
}

const MONEY_BACK: readonly Statement['kind'][] = ['refund', 'refunded_total', 'dispute']

const amountOf = ({ money }: { money: Money | null }): number => money?.amount ?? 0
const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0)

/** By our own id where the provider repeats it, else by any of its ids that we have learnt. */
export async function findPayment(
  payments: PaymentStore,
  { provider, references }: Pick<Notification, 'provider' | 'references'>,
): Promise<Payment | undefined> {
  const [own] = references.flatMap((reference) => PaymentId.safeParse(reference).data ?? [])
  const payment = own && (await payments.get(own))
  // A provider may speak of its own payments only.
  if (payment?.provider === provider) return payment
  return payments.byReference(
    provider,
    references.filter((reference) => reference !== own),
  )
}

/** What a notification does to a payment, as one transaction, and the names of it that were new. */
export function changeOf(
  deps: SettleDeps,
  payment: Payment,
  notification: Notification,
  told: readonly Telling[],
): { writes: Write[]; learnt: string[]; outcome: Outcome; next: Payment } {
  const now = deps.now()
  const ended = (status: Outcome['status'], detail: string | null) => {
    const outcome = { status, detail, paymentId: payment.id, processedAt: timestamp(now) }
    return { writes: deps.inbox.close(notification, outcome), learnt: [], outcome, next: payment }
  }
  const mismatch = told.flatMap(({ statement }) => mismatchOf(payment, statement) ?? [])[0]
  if (mismatch !== undefined) return ended('MISMATCHED', mismatch)
  if (payment.facts.length >= FACT_LIMIT) {
    return ended('FAILED', `The payment has ${FACT_LIMIT} facts already`)
  }
  const next = withTold(payment, told, notification.references, now)
  const why = { actor: `provider:${notification.provider}`, reason: notification.type }
  const processed = ended('PROCESSED', null)
  return {
    writes: [...changeWrites(deps, payment, next, why), ...processed.writes],
    learnt: next.references.filter((reference) => !payment.references.includes(reference)),
    outcome: processed.outcome,
    next,
  }
}

/** The payment with what a provider has told of it, and the names by which it did. */
export function withTold(
  payment: Payment,
  told: readonly Telling[],
  references: readonly string[],
  now: Date,
): Payment {
  const facts = told.map(({ statement, eventId }) => ({ ...statement, id: eventId }))
  const names = [...told.flatMap((event) => event.references), ...references]
  return withFacts(
    payment,
    facts,
    names.filter((name) => name !== payment.id),
    now,
  )
}

/** Why a statement cannot be true of this payment; null when it can. */
export function mismatchOf(payment: Payment, statement: Statement): string | null {
  if (statement.kind === 'succeeded') {
    if (isAskedFor(payment, statement.money)) return null
    return `${sumOf(statement.money)} were paid, ${sumOf(payment)} were asked for`
  }
  if (statement.kind !== 'refund' && statement.kind !== 'refunded_total') return null
  const { money } = statement
  if (money && money.currency === payment.currency && money.amount <= payment.amount) return null
  return `${sumOf(money)} were given back of ${sumOf(payment)}`
}

const sumOf = (money: Money | null): string =>
  money ? `${money.amount} minor units of ${money.currency}` : 'An amount in no currency we know'
