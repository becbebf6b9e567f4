import { announce } from '#lib/events/event'
import type { Announcement } from '#lib/events/event-types'
import type { Clock } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import type { NewId, PaymentId } from '#lib/kernel/id'
import { retryConflicts } from '#lib/kernel/retry'
import type { Write } from '#lib/kernel/write'
import type { PaymentStore } from '../payment-store.ts'
import { SHOWN_STATES } from '../state/dispute.ts'
import { type Charge, foldOf, hasMoney } from '../state/fold.ts'
import { type Payment, revised } from '../state/payment.ts'
import { type AttentionCode, attentionOf } from '../state/payment-status.ts'
import { type Refund, shownId } from '../state/refund.ts'

/** Returns the writes that book the difference between two versions of a payment. The ledger implements this port. */
export type BookChange = (before: Payment, after: Payment, reason: string) => Promise<Write[]>

/** What follows from a payment's change: writes of the same transaction, and why the payment now needs someone. */
export type Followed = { writes: Write[]; raised: AttentionCode[] }

/** Lets the request and the hold of a payment follow its change. The payment requests implement this port. */
export type FollowChange = (before: Payment, after: Payment) => Promise<Followed>

export type ChangeDeps = {
  payments: PaymentStore
  bookChange: BookChange
  followChange: FollowChange
  now: Clock
  newId: NewId
}

/** Who changes a payment, and why. */
export type Why = {
  /** `system`, a user's id, or `admin:` or `provider:` with a name. */
  actor: string
  reason: string
}

/**
 * Stores an edit of a payment and its consequences. After a conflict the edit is made again on the stored version.
 * Returns the payment as stored. `also` are further writes of the transaction. Throws `not_found`, and what the edit
 * throws.
 */
export const changePayment = (
  deps: ChangeDeps,
  id: PaymentId,
  why: Why,
  edit: (payment: Payment) => Payment,
  also: (next: Payment) => Write[] = () => [],
): Promise<Payment> =>
  retryConflicts(async () => {
    const payment = await deps.payments.get(id)
    if (!payment) throw new DomainError('not_found')
    const edited = revised(payment, edit(payment), deps.now())
    const { payment: next, writes } = await changeOf(deps, payment, edited, why)
    await deps.payments.commit([...writes, ...also(next)])
    return next
  })

/**
 * Returns a payment's next version, and the writes of the one transaction that stores it: the payment, its list entries
 * and, where they change, its history, ledger postings, events, payment request and hold.
 */
export async function changeOf(
  deps: ChangeDeps,
  before: Payment,
  edited: Payment,
  why: Why,
): Promise<{ payment: Payment; writes: Write[] }> {
  const { actor, reason } = why
  const { status: from } = before
  // Only facts and refund attempts move money: an edit without them, such as a checkout, keeps both as they are.
  const isMoneySame = edited.facts === before.facts && edited.attempts === before.attempts
  const [followed, booked] = await Promise.all([
    edited.paymentRequestId === null ? null : deps.followChange(before, edited),
    isMoneySame ? [] : deps.bookChange(before, edited, reason),
  ])
  const after = followed ? withRaised(edited, followed.raised, deps.now()) : edited
  const writes = [
    ...deps.payments.save(before, after),
    ...(from === after.status ? [] : [deps.payments.recordMove({ payment: after, from, actor, reason })]),
    ...booked,
    ...announcementsOf(before, after, why).map((what) =>
      announce({ id: deps.newId('event'), subject: after.id, at: after.updatedAt, ...what }),
    ),
    ...(followed?.writes ?? []),
  ]
  return { payment: after, writes }
}

/** Adds the reasons for attention that were found outside the payment. They stay until its money is given back. */
function withRaised(payment: Payment, codes: readonly AttentionCode[], now: Date): Payment {
  const known = hasMoney(payment) ? payment.raised : []
  const added = codes.filter((code) => known.every((each) => each.code !== code))
  const raised = [...known, ...added.map((code) => ({ code, at: payment.updatedAt }))]
  const next = { ...payment, raised }
  return { ...next, attention: attentionOf(next, payment.attention, now) }
}

/** An announcement without the fields that `changeOf` adds to each. */
type EventContents = Announcement extends infer Each
  ? Each extends Announcement
    ? Omit<Each, 'id' | 'subject' | 'at'>
    : never
  : never

/** Announces each changed refund, charge and dispute separately. */
function announcementsOf(before: Payment, after: Payment, { reason }: Why): EventContents[] {
  const { userId, provider, currency, purpose, listingId, listing, paymentRequestId } = after
  const shared = {
    userId,
    provider,
    // The sum that was paid; before that, the sum that was asked for.
    amount: foldOf(after).amountPaid || after.amount,
    currency,
    purpose,
    listingId,
    agentId: listing?.agent?.userId ?? null,
    paymentRequestId,
  }
  const moved = {
    type: 'payment.status_changed',
    data: { ...shared, from: before.status, to: after.status, reason },
  } as const
  return [
    ...(after.status === before.status ? [] : [moved]),
    ...newSecondCharges(before, after).map(
      ({ id, money }) =>
        ({
          type: 'payment.overcharged',
          data: { ...shared, chargeId: id ?? after.id, chargeAmount: money.amount },
        }) as const,
    ),
    ...movedRefunds(before, after).map(({ refund, type }) => ({
      type,
      data: {
        ...shared,
        refundId: refund.id ?? shownId(after.id, refund),
        refundAmount: refund.money?.amount ?? 0,
        refundCurrency: refund.money?.currency ?? currency,
        counts: refund.counts,
        amountRefunded: after.amountRefunded,
      },
    })),
    ...movedDisputes(before, after).map(
      ({ id, state, amount: disputedAmount, currency: disputedCurrency }) =>
        ({
          type: 'payment.disputed',
          data: { ...shared, disputeId: id, state: SHOWN_STATES[state], disputedAmount, disputedCurrency },
        }) as const,
    ),
  ]
}

/** Returns the second charges that are new. */
function newSecondCharges(before: Payment, after: Payment): Charge[] {
  const secondCharges = (payment: Payment) =>
    foldOf(payment).charges.filter(({ state }) => state === 'second')
  const known = new Set(secondCharges(before).map(({ id }) => id))
  return secondCharges(after).filter(({ id }) => !known.has(id))
}

const REFUND_EVENTS = {
  pending: 'payment.refund_started',
  succeeded: 'payment.refunded',
  failed: 'payment.refund_failed',
} as const

/** Returns the refunds whose announced state has changed. */
function movedRefunds(before: Payment, after: Payment) {
  const statesBefore = new Map(placedRefunds(before).flatMap((refund) => stateById(refund)))
  return placedRefunds(after).flatMap((refund) => {
    const earlier = statesBefore.get(refund.key) ?? statesBefore.get(refund.providerRefundId ?? '')
    const state = announcedState(refund)
    if (state === null || state === earlier) return []
    return [{ refund, type: REFUND_EVENTS[state] }]
  })
}

/** Returns the refunds of known charges, each with whether its charge counts. A refund of an unknown charge is none yet. */
const placedRefunds = (payment: Payment): (Refund & { counts: boolean })[] =>
  foldOf(payment).charges.flatMap(({ refunds, state }) =>
    refunds.map((refund) => ({ ...refund, counts: state === 'counts' })),
  )

/** Returns the state of a refund under each id that later facts may name it by. */
const stateById = (refund: Refund): [string, Refund['state'] | null][] => {
  const ids = [refund.key, refund.providerRefundId].filter((id) => id !== null)
  return ids.map((id) => [id, announcedState(refund)])
}

/** Returns the state to announce; null for a refund whose provider has not answered the first call yet. */
function announcedState({ id, state, attempt }: Refund): Refund['state'] | null {
  const isOurs = id !== null
  if (state !== 'pending' || !isOurs) return state
  if (attempt === null) return null
  const isFirstCallOpen = attempt.number === 1 && (attempt.state === 'asking' || attempt.isUnsent)
  return isFirstCallOpen ? null : state
}

/** Returns the disputes of known charges that are new or have another state than before, each with its charge's currency. */
function movedDisputes(before: Payment, after: Payment) {
  const disputesOf = (payment: Payment) =>
    foldOf(payment).charges.flatMap(({ disputes, money: { currency } }) =>
      disputes.map((dispute) => ({ ...dispute, currency })),
    )
  const statesBefore = new Map(disputesOf(before).map(({ id, state }) => [id, state]))
  return disputesOf(after).filter(({ id, state }) => statesBefore.get(id) !== state)
}
