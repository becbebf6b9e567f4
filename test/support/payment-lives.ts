import fc from 'fast-check'
import { expect } from 'vitest'
import { DAY_SECONDS, secondsAfter, timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import { newId, type RefundId } from '#lib/kernel/id'
import { faultsOf } from '#lib/ledger/audit'
import { withFollowers } from '#lib/payment-requests/followers'
import { receiveCallback } from '#lib/payments/callbacks/receive-callback'
import { resolveCallback } from '#lib/payments/callbacks/resolve-callback'
import { cancelPayment } from '#lib/payments/checkout/cancel-payment'
import { openPayments } from '#lib/payments/payment-store.dynamo'
import { viewOf } from '#lib/payments/payment-view'
import { reconcile } from '#lib/payments/reconcile/reconcile-due'
import { refundPayment } from '#lib/payments/refunds/refund-payment'
import { resolveRefund } from '#lib/payments/refunds/resolve-refund'
import { foldOf } from '#lib/payments/state/fold'
import { openPayment, type Payment, withCheckout } from '#lib/payments/state/payment'
import { findPayout } from '#lib/payouts/payout-subject'
import { memoryTable } from './memory-table.ts'
import { moneyStores } from './money-stores.ts'
import { Died, mortalTable } from './mortal-table.ts'
import { expectTruth } from './payment-oracle.ts'
import { played } from './payments.ts'
import { AMOUNT, aStep, type Step, type Style, trueProvider } from './true-provider.ts'

const REFUSALS = [
  'provider_unavailable',
  'unavailable',
  'refund_exceeds_payment',
  'payment_not_refundable',
  'idempotency_in_progress',
  'refund_not_resolvable',
  'payment_transition_not_allowed',
  'callback_not_resolvable',
  // A charge that nobody has told us of yet.
  'validation_failed',
]
const picked = <Each>(items: readonly Each[], place: number): Each[] =>
  items.length === 0 ? [] : items.slice(place % items.length).slice(0, 1)

/** A payment at a provider that holds the truth, and what this service makes of it. */
async function aLife(style: Style, skewHours: number) {
  let moment = new Date('2026-11-20T12:00:00.000Z')
  const now = () => moment
  const { table, alive, isDead, liveFor } = mortalTable(memoryTable())
  const payments = openPayments(table)
  const ordered = openPayment(
    newId('payment'),
    newId('user'),
    {
      provider: 'played',
      amount: AMOUNT,
      currency: 'EUR',
      purpose: 'rent',
      listingId: null,
      phone: null,
      returnUrl: null,
      metadata: null,
    },
    moment,
  )
  const { id, userId } = ordered
  const truth = trueProvider(style, id, now, skewHours)
  const page = { url: 'https://pay.example/', expiresAt: truth.pageEndsAt, references: [] }
  await payments.commit(payments.insert(withCheckout(ordered, page)))
  let called = 0
  const { startRefund, readPayment, close, ...others } = truth.provider
  /** A request of a function that is alive; a dead one sends none. */
  const sent =
    <Given extends unknown[], Answer>(request: (...given: Given) => Promise<Answer>) =>
    async (...given: Given) => {
      alive()
      return request(...given)
    }
  const providers = played({
    ...others,
    ...(startRefund && { startRefund: sent(startRefund) }),
    ...(readPayment && { readPayment: sent(readPayment) }),
    ...(close && { close: sent(close) }),
    interpret: ({ rawBody }) => [JSON.parse(rawBody.toString())],
  })
  const accounts = { get: async () => ({}) }
  const kept = { ...moneyStores(table), providers, accounts, now, newId, count: () => undefined }
  const deps = { ...withFollowers(kept), findPayout: findPayout(kept) }
  const orders: { id: RefundId; amount: number; chargeId: string | null }[] = []

  const known = async (): Promise<Payment> => {
    const payment = await payments.get(id)
    if (!payment) throw new Error(`${id} is gone`)
    return payment
  }
  /** Refusals are expected of a provider like this; anything else is a fault of ours. */
  const tolerated = (work: Promise<unknown>) =>
    work.catch((error: unknown) => {
      if (error instanceof Died) return
      expect(error).toBeInstanceOf(DomainError)
      expect(REFUSALS).toContain((error as DomainError).code)
    })
  const order = (each: (typeof orders)[number], resumed: boolean) => {
    truth.treatment.isOurs = true
    const draft = { amount: each.amount, reason: null, chargeId: each.chargeId }
    const claim = { id: each.id, resumed, receipt: () => [] }
    return tolerated(refundPayment(deps, { id, administrator: 'admin:a' }, draft, claim))
  }
  const deliver = (place: number, provider = 'played') => {
    const [event] = picked(truth.calls, place)
    if (!event) return Promise.resolve()
    const request = { method: 'POST', rawBody: Buffer.from(JSON.stringify(event)), headers: {}, rawQuery: '' }
    return tolerated(receiveCallback(deps, { ...request, provider }))
  }
  /** An administrator accepts the first charge of another sum. */
  const accept = async () => {
    const { items } = await deps.callbacks.list('ATTENTION', { limit: 50, after: undefined })
    const [wrong] = items.filter(
      ({ status, statement }) => status === 'MISMATCHED' && statement?.kind === 'succeeded',
    )
    if (!wrong) return
    const resolution = { action: 'ACCEPT', paymentId: null, note: 'It is right' } as const
    await tolerated(resolveCallback(deps, { id: wrong.id, administrator: 'a' }, resolution))
  }
  const look = async () => {
    const { dueAt } = await known()
    moment = new Date(Math.max(Date.parse(dueAt ?? timestamp(moment)), moment.getTime()) + 1)
    await tolerated(reconcile({ ...deps, measure: () => undefined }))
  }
  /** An administrator looks into the provider's dashboard, and tries again only what is not there. */
  const resolve = async () => {
    truth.treatment.isOurs = true
    const shown = viewOf(await known(), moment).refunds.filter(({ needsResolution }) => needsResolution)
    for (const refund of shown.slice(0, 1)) {
      const made = truth.refunds.find((each) => each.order === refund.id)
      // A refund that the provider shows by a name of its own is there already: ours is then not another one.
      const byItself = made && !style.notes
      const outcome = byItself ? 'FAILED' : made ? OUTCOMES[made.state] : 'RETRY'
      if (!outcome) continue
      const which = { id, refundId: refund.id, administrator: 'admin:a' }
      await tolerated(resolveRefund(deps, which, { outcome, note: 'As the dashboard says' }))
    }
  }
  const OUTCOMES = { succeeded: 'SUCCEEDED', failed: 'FAILED', pending: null } as const
  const chargeId = (place: number) => picked(truth.charges, place)[0]?.id

  const plays: Record<Step['what'], (step: Step) => unknown> = {
    pay: () => truth.pay(false),
    'pay again': () => truth.pay(true),
    'pay wrong': truth.payWrong,
    'pay foreign': truth.payForeign,
    undo: ({ place }) => picked(truth.charges, place).map((charge) => truth.undo(charge)),
    capture: ({ place }) => picked(truth.charges, place).map((charge) => truth.capture(charge)),
    'unknown charge': ({ amount }) => truth.astray(amount),
    accept: () => accept(),
    'other account': ({ place }) => {
      // What this account wishes binds no questions of another.
      truth.treatment.isOurs = true
      return deliver(place, 'other')
    },
    'lost weeks': () => {
      if (style.lists !== null) called = truth.calls.length
      moment = secondsAfter(moment, 21 * DAY_SECONDS)
    },
    'begin to pay': truth.begin,
    decline: truth.decline,
    'give up': () => tolerated(cancelPayment(deps, { id: userId, takenBackAt: null }, id)),
    order: async ({ amount, place }) => {
      const each = {
        id: truth.newRefundId(),
        amount,
        chargeId: place % 3 === 0 ? (chargeId(place) ?? null) : null,
      }
      orders.push(each)
      await order(each, false)
    },
    'same key': ({ place }) => Promise.all(picked(orders, place).map((each) => order(each, true))),
    'by hand': ({ amount, place }) => truth.charges.length > 0 && truth.byHand(chargeId(place) ?? '', amount),
    end: ({ place, state }) =>
      picked(
        truth.refunds.filter((each) => each.state === 'pending'),
        place,
      ).map((each) => truth.change(each, state === 'failed' ? 'failed' : 'succeeded')),
    bounce: ({ place }) =>
      picked(
        truth.refunds.filter((each) => each.state === 'succeeded'),
        place,
      ).map((each) => truth.change(each, 'failed')),
    dispute: ({ amount, place }) =>
      truth.charges.length > 0 && truth.disputes.length < 2 && truth.dispute(chargeId(place) ?? '', amount),
    'dispute whole': ({ place }) =>
      truth.charges.length > 0 && truth.disputes.length < 2 && truth.dispute(chargeId(place) ?? '', null),
    'dispute foreign': ({ amount, place }) =>
      truth.charges.length > 0 &&
      truth.disputes.length < 2 &&
      truth.dispute(chargeId(place) ?? '', amount, 'USD'),
    judge: ({ place, judged }) => picked(truth.disputes, place).map((each) => truth.judge(each, judged)),
    call: ({ place }) => deliver(place),
    look,
    resolve,
    forget: truth.forget,
    outage: truth.fail,
    clutter: ({ place }) => picked(truth.charges, place).map((charge) => truth.clutter(charge.id)),
  }
  const play = async (step: Step) => {
    moment = secondsAfter(moment, step.seconds)
    const { state, heard, lag, breaksAt, movesAt, livesFor } = step
    Object.assign(truth.treatment, { state, heard, lag, breaksAt, movesAt, isOurs: false })
    // Nobody looks into a table or a dashboard for a function that is dead.
    liveFor(step.what === 'resolve' || step.what === 'accept' ? ALIVE : livesFor)
    await plays[step.what](step)
    if (isDead()) truth.forgetWish()
    liveFor(ALIVE)
  }
  /**
   * The provider answers again, and every payment that is due is looked at. Every callback comes, unless they are all lost:
   * then only where a look is still to come.
   */
  const end = async (areCallsLost: boolean) => {
    Object.assign(truth.treatment, { state: 'succeeded', heard: 'answered', isOurs: false })
    Object.assign(truth.treatment, { lag: 0, breaksAt: 0, movesAt: 0 })
    moment = secondsAfter(moment, DAY_SECONDS)
    const isLookedAt = style.lists !== null && (await known()).dueAt !== null
    // What is not read again comes again.
    if (!isLookedAt) called = 0
    if (!(areCallsLost && isLookedAt)) {
      for (; called < truth.calls.length; called += 1) await deliver(called)
    }
    for (let looks = 0; looks < LAST_LOOKS; looks += 1) await look()
    return { payment: await known(), postings: await deps.books.postings(id), truth, moment }
  }
  return { play, end }
}

/** As many as a payment that cannot be read takes until it needs someone, and more. */
const LAST_LOOKS = 12
const ALIVE = Number.POSITIVE_INFINITY

/** Plays one life, and holds what is shown in the end to the provider's truth. */
async function live(
  style: Style,
  steps: readonly Step[],
  areCallsLost: boolean,
  skewHours: number,
): Promise<void> {
  // The time of a callback is what orders the disputes of a provider that cannot be read.
  const life = await aLife(style, style.lists === null ? Math.min(0, skewHours) : skewHours)
  for (const step of steps) await life.play(step)
  const { payment, postings, truth, moment } = await life.end(areCallsLost)
  const codes: string[] = payment.attention.map(({ code }) => code)

  // Money moved once for each order, whatever was asked again.
  const ordered = truth.refunds.flatMap(({ order }) => order ?? [])
  expect(new Set(ordered).size).toBe(ordered.length)
  expect(truth.wrongs).toEqual([])
  expect(faultsOf(payment, postings)).toEqual([])

  const { refunds } = viewOf(payment, moment)
  const { charges, disputes } = foldOf(payment)
  // What is still open in our books, and not at the provider, waits for a person.
  const waiting = refunds.filter(({ status }) => status === 'PENDING').length
  const pending = truth.refunds.filter(({ state }) => state === 'pending').length
  const cannotBeRead = codes.includes('cannot_be_read')
  if (charges.length > 0 && waiting > pending) {
    expect(codes).toContain(cannotBeRead ? 'cannot_be_read' : 'refund_unresolved')
  }
  // What cannot be shown is on the administrators' list: lists without an end.
  if (cannotBeRead) {
    expect(truth.isCluttered()).toBe(true)
    return
  }
  const shown = {
    status: payment.status,
    charges: charges.map(({ id, state, money, refunded: amountRefunded, disputed: amountDisputed }) => ({
      id,
      ...money,
      state: state.toUpperCase(),
      amountRefunded,
      amountDisputed,
    })),
    disputes,
    refunds,
    codes,
  }
  expectTruth(payment, postings, shown, truth)
}

const READABLE: Style = { lists: 'by offset', trust: 'signed', notes: true, answersNames: true, closes: true }

/** Providers that differ in what they repeat, how they are read and how far their callbacks may be believed. */
export const STYLES: Record<string, Style> = {
  'can be read and repeats our ids': READABLE,
  'can be read and has names of its own only': {
    ...READABLE,
    lists: 'by last id',
    notes: false,
    closes: false,
  },
  'can be read and answers orders without a name': {
    ...READABLE,
    lists: 'by number',
    answersNames: false,
  },
  'signs its callbacks in part': { ...READABLE, lists: 'by last id', trust: 'sender' },
  'signs nothing': { ...READABLE, lists: 'by number', trust: 'unsigned', closes: false },
  'cannot be read': { ...READABLE, lists: null, closes: false },
}

/** Plays so many random lives at a provider of a style; the same ones for the same seed. */
export const playLives = (style: Style, numRuns: number, seed?: number): Promise<void> =>
  fc.assert(
    fc.asyncProperty(
      fc.array(aStep, { maxLength: 24, size: 'max' }),
      fc.boolean(),
      fc.constantFrom(0, 0, -3, 3),
      (steps, areCallsLost, skewHours) => live(style, steps, areCallsLost, skewHours),
    ),
    { numRuns, ...(seed !== undefined && { seed }) },
  )
