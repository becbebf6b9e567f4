import type { Money } from '#lib/kernel/money'
import { type FactOf, factsOf } from '#lib/payments/state/fact'
import type { Payment } from '#lib/payments/state/payment'
import { statusOf } from '#lib/payments/state/payment-status'
import type { Posting } from './transaction.ts'

/**
 * Returns what is wrong with a payment. Compares the sums of its postings with the charges, refunds and disputes that
 * their providers stated. Does not use `foldOf`, from which the postings were made. A payment with money that the
 * ledger cannot hold must be marked as needing attention.
 */
export function faultsOf(payment: Payment, postings: readonly Posting[]): string[] {
  const books = booksOf(payment, postings)
  return [
    ...unbalanced(postings),
    ...wrongCharges(payment, books),
    ...wrongRefunds(payment, books),
    ...wrongDisputes(payment, books),
    ...negative(payment, postings),
    ...wrongState(payment),
  ]
}

/** The provider's money by charge, refund, dispute or fee, a sum for each currency: `charge:ch_1` has 1000 EUR. */
type Books = Map<string, Money[]>

function booksOf({ provider }: Payment, postings: readonly Posting[]): Books {
  const objects = Map.groupBy(postings, ({ object }) => object)
  return new Map(
    [...objects].map(([object, some]) => [
      object,
      sumsOf(some, (account) => account === `provider:${provider}`),
    ]),
  )
}

/** Returns the sums, other than 0, of some accounts in each currency. */
function sumsOf(postings: readonly Posting[], isOf: (account: string) => boolean): Money[] {
  const groups = Map.groupBy(postings, ({ currency }) => currency)
  return [...groups].flatMap(([currency, some]) => {
    const amount = some
      .flatMap(({ lines }) => lines)
      .filter(({ account }) => isOf(account))
      .reduce((sum, line) => sum + line.amount, 0)
    return amount === 0 ? [] : [{ amount, currency }]
  })
}

const unbalanced = (postings: readonly Posting[]): string[] =>
  postings
    .filter((posting) => sumsOf([posting], () => true).length > 0)
    .map(({ version, object }) => `The posting of ${object} in version ${version} does not balance`)

type Success = FactOf<'succeeded'>

/**
 * Returns the successes that no failed capture undoes. Any failed capture of its charge undoes one that names no capture.
 */
const liveSuccesses = ({ facts }: Payment): Success[] =>
  factsOf(facts, 'succeeded').filter(
    ({ money, chargeId, captureId }) =>
      money !== null &&
      !factsOf(facts, 'taken_back').some(
        (taken) => taken.chargeId === chargeId && (captureId == null || captureId === taken.captureId),
      ),
  )

/** Requires the books to hold every charge that has an id, with a sum that its provider stated, and no other charge. */
function wrongCharges(payment: Payment, books: Books): string[] {
  const live = liveSuccesses(payment)
  const objectOf = ({ chargeId }: Success) => `charge:${chargeId ?? payment.id}`
  const named = new Set(live.filter(({ chargeId }) => chargeId != null).map(objectOf))
  const missing = [...named].filter((object) => (books.get(object) ?? []).length === 0)
  const isStated = (object: string, sum: Money) =>
    live.some((success) => objectOf(success) === object && isSame(success.money, sum))
  const wrong = [...books].filter(
    ([object, sums]) => object.startsWith('charge:') && sums.some((sum) => !isStated(object, sum)),
  )
  return [
    ...missing.map((object) => `${object} is missing`),
    ...wrong.map(([object, sums]) => `${object} has ${describe(sums)}, which its provider never named`),
  ]
}

const isSame = (one: Money | null, other: Money): boolean =>
  one !== null && one.amount === other.amount && one.currency === other.currency

const describe = (sums: readonly Money[]): string =>
  sums.map(({ amount, currency }) => `${amount} ${currency}`).join(', ') || 'nothing'

/** Whether a refund is of a charge of this payment. A success without a charge id may be of any charge. */
function isOfKnownCharge(payment: Payment, chargeId: string | null | undefined): boolean {
  const known = factsOf(payment.facts, 'succeeded').map((success) => success.chargeId ?? null)
  return chargeId == null || known.includes(chargeId) || known.includes(null)
}

/**
 * Requires the books to hold a sum of each refund that its provider stated, and nothing of one that failed or has not
 * succeeded. Without a charge in the books, or while the payment needs attention, a refund may be missing. Does not
 * judge a refund that an administrator resolved, or whose statements name different charges.
 */
function wrongRefunds(payment: Payment, books: Books): string[] {
  const stated = factsOf(payment.facts, 'refund').filter(({ providerRefundId }) => providerRefundId !== null)
  const resolved = new Set(factsOf(payment.facts, 'resolution').map(({ refundId }) => refundId))
  return [...Map.groupBy(stated, ({ providerRefundId }) => providerRefundId ?? '')].flatMap(([id, facts]) => {
    if (facts.some(({ refundId }) => refundId !== null && resolved.has(refundId))) return []
    const chargeIds = new Set(facts.flatMap((fact) => fact.chargeId ?? []))
    if (chargeIds.size > 1) return []
    const [chargeId] = chargeIds
    return wrongRefund(payment, books, { id, chargeId, facts })
  })
}

type StatedRefund = { id: string; chargeId: string | undefined; facts: readonly FactOf<'refund'>[] }

function wrongRefund(payment: Payment, books: Books, { id, chargeId, facts }: StatedRefund): string[] {
  const held = [`refund:${id}`, `refund_failed:${id}`].flatMap((object) => books.get(object) ?? [])
  // A refund is in the currency of its one charge.
  const left = held.reduce((sum, { amount }) => sum + amount, 0)
  if (!isOfKnownCharge(payment, chargeId)) {
    return left === 0
      ? faultUnlessMarked(payment, 'unknown_charge', `refund:${id} names no known charge`, facts)
      : [`refund:${id} has ${left}, of a charge that is not known`]
  }
  const isFailed = facts.some(({ state }) => state === 'failed')
  const sums = facts.flatMap(({ state, money }) =>
    state === 'succeeded' && money && !isFailed ? money.amount : [],
  )
  if (left !== 0)
    return sums.includes(-left) ? [] : [`refund:${id} has ${left}, which its provider never named`]
  const isMissing = sums.length > 0 && holdsCharge(books) && payment.attention.length === 0
  return isMissing ? [`refund:${id} is missing`] : []
}

const holdsCharge = (books: Books): boolean =>
  [...books].some(([object, sums]) => object.startsWith('charge:') && sums.length > 0)

/** Requires a dispute in the books to be open or lost, with at most a sum that its provider stated. */
function wrongDisputes(payment: Payment, books: Books): string[] {
  const known = Map.groupBy(factsOf(payment.facts, 'dispute'), ({ disputeId }) => disputeId)
  return [...books].flatMap(([object, sums]) => {
    if (!object.startsWith('dispute:') || sums.length === 0) return []
    const stated = known.get(object.slice('dispute:'.length)) ?? []
    const taking = stated.filter(({ state }) => state === 'open' || state === 'lost')
    const isNamed = taking.some(
      ({ money }) =>
        money == null || sums.every((sum) => sum.currency === money.currency && -sum.amount <= money.amount),
    )
    return isNamed ? [] : [`${object} has ${describe(sums)}, which its provider never named`]
  })
}

/**
 * Requires that the provider gave back no more than it received, and the payer received no more than was owed, unless the
 * payment needs attention. The signs of the accounts are as `Posting` says.
 */
function negative(payment: Payment, postings: readonly Posting[]): string[] {
  const own = postings.filter(({ object }) => !object.startsWith('fee:'))
  const held = sumsOf(own, (account) => account === `provider:${payment.provider}`)
  const owed = sumsOf(own, (account) => account.startsWith('overpaid:') || account.startsWith('suspense:'))
  const providerGaveTooMuch = held.some(({ amount }) => amount < 0)
  const payerReceivedTooMuch = owed.some(({ amount }) => amount > 0)
  return (providerGaveTooMuch || payerReceivedTooMuch) && payment.attention.length === 0
    ? [`The provider holds ${describe(held)} and we owe ${describe(owed)}, and nobody is asked`]
    : []
}

/** Returns the fault of a refund, unless the payment is marked as needing attention for it or the refund has failed. */
function faultUnlessMarked(
  { attention }: Payment,
  code: Payment['attention'][number]['code'],
  fault: string,
  stated: readonly FactOf<'refund'>[],
): string[] {
  const hasFailed = stated.some(({ state }) => state === 'failed')
  return hasFailed || attention.some((each) => each.code === code) ? [] : [`${fault}, and nobody is asked`]
}

/** Requires the stored status to follow from the facts, at the time of the payment's last write. */
function wrongState(payment: Payment): string[] {
  const status = statusOf(payment, new Date(payment.updatedAt))
  return status === payment.status ? [] : [`The stored state is ${payment.status}, the facts say ${status}`]
}
