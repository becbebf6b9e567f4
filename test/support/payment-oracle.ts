import { expect } from 'vitest'
import type { Posting } from '#lib/ledger/transaction'
import type { PaymentView } from '#lib/payments/payment-view'
import type { Payment } from '#lib/payments/state/payment'
import { AMOUNT, type trueProvider } from './true-provider.ts'

type Truth = ReturnType<typeof trueProvider>
type Held = {
  id: string
  currency: string
  state: string
  refunded: number
  disputed: number
  lost: number
  left: number
}

/** What a payment in full shows, as far as the oracle holds it to the truth. */
type Shown = {
  status: string
  charges: {
    id: string | null
    state: string
    amountRefunded: number
    amountDisputed: number
    currency: string
    amount: number
  }[]
  disputes: { id: string; state: string; amount: number }[]
  refunds: PaymentView['refunds']
  codes: string[]
}

/**
 * Holds a payment and its books to the provider's truth, by rules of its own: nothing of the service's fold is asked. Only
 * which of two equal charges was recorded first, and which were accepted, is taken from the payment.
 */
export function expectTruth(
  payment: Payment,
  postings: readonly Posting[],
  shown: Shown,
  truth: Truth,
): void {
  const held = heldBy(payment, shown, truth)
  // The sum of a charge whose success was never heard of is not known.
  const isNamed = (id: string) =>
    payment.facts.some((fact) => fact.kind === 'succeeded' && fact.chargeId === id)
  const isKnown = ({ id, state }: Held) => state !== 'TAKEN_BACK' || isNamed(id)
  expect(
    sorted(
      shown.charges.map(({ id, state, amountRefunded, amountDisputed, currency }) => [
        id,
        currency,
        state,
        amountRefunded,
        amountDisputed,
      ]),
    ),
  ).toEqual(
    sorted(
      held
        .filter(isKnown)
        .map(({ id, currency, state, refunded, disputed }) => [id, currency, state, refunded, disputed]),
    ),
  )
  for (const currency of ['EUR', 'USD'] as const) {
    const live = held.filter((each) => each.currency === currency && each.state !== 'TAKEN_BACK')
    const sum = (state?: string) =>
      live.filter((each) => !state || each.state === state).reduce((total, { left }) => total + left, 0)
    const [provider, fees] = [
      balance(postings, 'provider:played', currency),
      balance(postings, 'fees', currency),
    ]
    expect(provider + fees).toBe(sum())
    expect(0 - balance(postings, 'suspense:played', currency)).toBe(sum('UNASKED'))
    expect(0 - balance(postings, 'overpaid:played', currency)).toBe(sum('SECOND'))
  }
  expectStatus(shown, held, truth)
  expectAttention(shown, held, truth, isNamed)
}

/** The number in a capture's id; 0 for a charge that was not captured apart. */
const captureNumber = (captureId: string | null | undefined): number =>
  Number(/^K(\d+) /.exec(captureId ?? '')?.[1] ?? 0)

/** What is left of each charge, by the provider's own records. */
function heldBy(payment: Payment, { refunds: views }: Shown, truth: Truth): Held[] {
  const successes = payment.facts.flatMap((fact) => (fact.kind === 'succeeded' ? [fact] : []))
  const isAccepted = (id: string) => successes.some(({ accepted, chargeId }) => accepted && chargeId === id)
  const isAsked = (charge: Truth['charges'][number]) =>
    (charge.amount === AMOUNT && charge.currency === 'EUR') ||
    successes.some(({ accepted, chargeId }) => accepted && chargeId === charge.id)
  // A failed capture of which no word was recorded ends nothing: the charge counts since its success before it.
  const lastUndone = (id: string) =>
    Math.max(
      0,
      ...payment.facts.map((fact) =>
        fact.kind === 'taken_back' && fact.chargeId === id ? captureNumber(fact.captureId) : 0,
      ),
    )
  const recordedAt = ({ id }: Truth['charges'][number]) =>
    successes.findIndex(
      ({ chargeId, captureId, money, accepted }) =>
        chargeId === id &&
        (lastUndone(id) === 0 || captureNumber(captureId) > lastUndone(id)) &&
        (accepted || isAccepted(id) || (money?.amount === AMOUNT && money.currency === 'EUR')),
    )
  const asked = truth.charges.filter((charge) => !charge.isTakenBack && isAsked(charge))
  const [first] = asked.toSorted((one, other) => recordedAt(one) - recordedAt(other))
  return truth.charges.map((charge) => {
    const own = truth.refunds.filter(({ chargeId }) => chargeId === charge.id)
    const refunded = own.reduce((sum, { state, amount }) => sum + (state === 'succeeded' ? amount : 0), 0)
    const pending = views
      .filter(({ chargeId, status }) => chargeId === charge.id && status === 'PENDING')
      .reduce((sum, { amount }) => sum + amount, 0)
    const disputes = truth.disputes.filter(
      ({ chargeId, currency, state, amount }) =>
        chargeId === charge.id &&
        (currency === charge.currency || amount === null) &&
        (state === 'open' || state === 'lost'),
    )
    const named = disputes.reduce((sum, { amount }) => sum + (amount ?? 0), 0)
    const rest = Math.max(0, charge.amount - refunded - pending - named)
    const unnamed = disputes.findIndex(({ amount }) => amount === null)
    const taken = disputes.map(({ state, amount }, place) => ({
      state,
      sum: amount ?? (place === unnamed ? rest : 0),
    }))
    const disputed = taken.reduce((sum, each) => sum + each.sum, 0)
    const lost = taken.reduce((sum, each) => sum + (each.state === 'lost' ? each.sum : 0), 0)
    const state = charge.isTakenBack
      ? 'TAKEN_BACK'
      : !isAsked(charge)
        ? 'UNASKED'
        : charge === first
          ? 'COUNTS'
          : 'SECOND'
    const left = charge.amount - refunded - disputed
    return { id: charge.id, currency: charge.currency, state, refunded, disputed, lost, left }
  })
}

const balance = (postings: readonly Posting[], account: string, currency: string): number =>
  postings
    .filter((posting) => posting.currency === currency)
    .flatMap(({ lines }) => lines)
    .reduce((sum, line) => sum + (line.account === account ? line.amount : 0), 0)

const sorted = (rows: unknown[][]) => rows.map((row) => JSON.stringify(row)).toSorted()

function expectStatus({ status }: Shown, held: readonly Held[], truth: Truth): void {
  const counting = held.find(({ state }) => state === 'COUNTS')
  if (!counting) {
    expect(['PENDING', 'PROCESSING', 'FAILED', 'CANCELLED', 'EXPIRED']).toContain(status)
    if (held.some(({ state }) => state === 'TAKEN_BACK')) expect(status).toBe('FAILED')
    else if (held.length === 0) expect(status === 'PROCESSING').toBe(truth.isUnderWay())
    return
  }
  const states = truth.disputes
    .filter(
      ({ chargeId, currency, amount }) =>
        chargeId === counting.id && (currency === counting.currency || amount === null),
    )
    .map(({ state }) => state)
  const whole = counting.left + counting.refunded + counting.disputed
  if (states.includes('lost')) expect(status).toBe('CHARGED_BACK')
  else if (states.includes('open')) expect(status).toBe('DISPUTED')
  else if (counting.refunded === 0) expect(status).toBe('SUCCEEDED')
  else expect(status).toBe(counting.refunded < whole ? 'PARTIALLY_REFUNDED' : 'REFUNDED')
}

/** Everything that an administrator has to do is asked for, and nothing that is done. */
function expectAttention(
  { codes }: Shown,
  held: readonly Held[],
  truth: Truth,
  isKnown: (id: string) => boolean,
): void {
  const owed = (state: string, isOf: (each: Held) => boolean = () => true) =>
    held.some((each) => each.state === state && each.left > 0 && isOf(each))
  const takes = ({ state }: { state: string }) => state === 'open' || state === 'lost'
  const isForeign = truth.disputes.some((dispute) => {
    const charge = held.find(({ id }) => id === dispute.chargeId)
    return (
      takes(dispute) &&
      dispute.amount !== null &&
      charge !== undefined &&
      isKnown(charge.id) &&
      charge.currency !== dispute.currency
    )
  })
  const due: Record<string, boolean> = {
    second_charge: owed('SECOND'),
    wrong_sum: owed('UNASKED', ({ currency }) => currency === 'EUR'),
    wrong_currency: owed('UNASKED', ({ currency }) => currency === 'USD') || isForeign,
    unknown_charge:
      truth.refunds.some(({ chargeId, state }) => state !== 'failed' && !isKnown(chargeId)) ||
      truth.disputes.some((dispute) => takes(dispute) && !isKnown(dispute.chargeId)),
    capture_failed: held.some(({ state }) => state === 'TAKEN_BACK'),
    refunded_and_charged_back: held.some(
      ({ lost, refunded, left, disputed }) => lost > 0 && refunded + lost > left + refunded + disputed,
    ),
    dispute_due: truth.disputes.some(({ state }) => state === 'open'),
  }
  expect(Object.keys(due).filter((code) => codes.includes(code))).toEqual(
    Object.keys(due).filter((code) => due[code]),
  )
}
