import { beforeAll, describe, expect, it } from 'vitest'
import type * as z from 'zod'
import { spec as getCallback } from '#functions/payments/get-callback'
import { spec as getPaymentInFull } from '#functions/payments/get-payment-in-full'
import { spec as listCallbacks } from '#functions/payments/list-callbacks'
import { spec as refundPayment } from '#functions/payments/refund-payment'
import { spec as replayCallback } from '#functions/payments/replay-callback'
import { type Timestamp, timestamp } from '#lib/kernel/clock'
import { PaymentId } from '#lib/kernel/id'
import type { CallbackView } from '#lib/payments/callbacks/callback-view'
import type { PaymentInFull } from '#lib/payments/lists/administered-payment'
import type { PaymentView } from '#lib/payments/payment-view'
import type { Statement, StatementOf } from '#lib/payments/state/fact'
import type { Providers } from '#lib/providers/registry'
import { call } from '#test/support/call'
import { deliver, fromGateway } from '#test/support/callbacks'
import { eventsOf } from '#test/support/events'
import { aUser, consoleToken, type GivenUser } from '#test/support/given'
import { aPayment, fromPlayed, paid, paymentOf, played } from '#test/support/payments'

let user: GivenUser
let token = ''
beforeAll(async () => {
  user = await aUser()
  token = await consoleToken()
})

const inFull = async ({ id }: Pick<PaymentView, 'id'>): Promise<z.infer<typeof PaymentInFull>> =>
  (await call(getPaymentInFull, { token, params: { id } })).body
const codesOf = async (payment: Pick<PaymentView, 'id'>) =>
  (await inFull(payment)).attention.map(({ code }: { code: string }) => code)
const sumsOf = async (payment: Pick<PaymentView, 'id'>) => {
  const sums: Record<string, number> = {}
  for (const { account, amount, currency } of (await inFull(payment)).ledger) {
    const name = `${account} ${currency}`
    sums[name] = (sums[name] ?? 0) + amount
  }
  return Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== 0))
}

/** A message of one's own gateway about a payment. */
const said = async (type: string, { id, amount, currency }: PaymentView, more: object = {}) => {
  const data = { reference: id, amount, currency, ...more }
  expect((await deliver(fromGateway(type, data))).status).toBe(200)
}
/** Orders a refund as an administrator. */
const refund = ({ id }: Pick<PaymentView, 'id'>, body: object, providers: Providers) => {
  const headers = { 'idempotency-key': crypto.randomUUID() }
  return call(refundPayment, { token, params: { id }, headers, body, deps: { providers } })
}
/** A payment of 450,000 XOF that was first paid with another sum, then as asked. */
async function aDepositPaidTwice() {
  const payment = await aPayment(user, { amount: 450_000, currency: 'XOF' })
  const wrong = `txn_wrong_${payment.id}`
  await said('payment.succeeded', payment, { id: wrong, amount: 400_000 })
  await paid(payment)
  return { payment, wrong }
}

describe('money of another sum', () => {
  it('is a charge of its own, and what is refunded of it leaves the payment as it is', async () => {
    const { payment, wrong } = await aDepositPaidTwice()
    expect(await inFull(payment)).toMatchObject({
      status: 'SUCCEEDED',
      amountPaid: 450_000,
      attention: [{ code: 'wrong_sum' }],
      charges: [
        { id: wrong, state: 'UNASKED', amount: 400_000 },
        { id: `txn_${payment.id}`, state: 'COUNTS', amount: 450_000 },
      ],
    })
    expect(await sumsOf(payment)).toEqual({
      'platform XOF': -450_000,
      'suspense:standard-webhooks XOF': -400_000,
      'provider:standard-webhooks XOF': 850_000,
    })
    const refund = { amount: 400_000, refund_id: `r_${payment.id}`, charge_id: wrong, status: 'succeeded' }
    await said('payment.refunded', payment, refund)
    expect(await inFull(payment)).toMatchObject({
      status: 'SUCCEEDED',
      amountRefunded: 0,
      attention: [],
      charges: [{ amountRefunded: 400_000 }, { amountRefunded: 0 }],
    })
    expect(await sumsOf(payment)).toEqual({
      'platform XOF': -450_000,
      'provider:standard-webhooks XOF': 450_000,
    })
  })

  it('takes a dispute of its own, whose loss charges nothing back of the payment', async () => {
    const { payment, wrong } = await aDepositPaidTwice()
    const dispute = { amount: 400_000, dispute_id: `d_${payment.id}`, charge_id: wrong }
    await said('payment.disputed', payment, { ...dispute, status: 'opened' })
    expect(await inFull(payment)).toMatchObject({ status: 'SUCCEEDED', amountDisputed: 0 })
    await said('payment.disputed', payment, { ...dispute, status: 'lost' })
    expect(await inFull(payment)).toMatchObject({
      status: 'SUCCEEDED',
      attention: [],
      charges: [{ amountDisputed: 400_000 }, { amountDisputed: 0 }],
    })
  })

  it('is given back by its charge, whatever the status of the payment', async () => {
    const orders: { chargeId: string | null; amount: number }[] = []
    const startRefund = async ({ chargeId, amount }: { chargeId: string | null; amount: number }) => {
      orders.push({ chargeId, amount })
      return { state: 'succeeded', providerRefundId: `re_${orders.length}` } as const
    }
    const { payment, tell, providers } = await aPlayedPayment({ startRefund })
    await tell({ kind: 'succeeded', at: now(), money: { amount: 99, currency: 'USD' }, chargeId: 'C9' })
    expect(await codesOf(payment)).toEqual(['wrong_currency'])
    const order = (body: object) => refund(payment, body, providers)
    expect(await order({})).toMatchObject({ status: 409, body: { code: 'payment_not_refundable' } })
    expect(await order({ chargeId: 'C8' })).toMatchObject({ status: 400 })
    expect(await order({ chargeId: 'C9', amount: 100 })).toMatchObject({
      status: 409,
      body: { code: 'refund_exceeds_payment' },
    })
    expect(await order({ chargeId: 'C9' })).toMatchObject({
      status: 201,
      body: { amount: 99, currency: 'USD', chargeId: 'C9', status: 'SUCCEEDED' },
    })
    expect(orders).toEqual([{ chargeId: 'C9', amount: 99 }])
    expect(await inFull(payment)).toMatchObject({ status: 'PENDING', attention: [], amountRefunded: 0 })
    expect(await sumsOf(payment)).toEqual({})
    // The payment itself is in euros.
    const [event] = await eventsOf(payment.id, 'payment.refunded')
    expect(event?.data).toMatchObject({
      currency: 'EUR',
      refundAmount: 99,
      refundCurrency: 'USD',
      counts: false,
    })
  })

  it('of another currency is disputed in that currency', async () => {
    const { payment, tell } = await aPlayedPayment()
    await tell({ kind: 'succeeded', at: now(), money: { amount: 99, currency: 'USD' }, chargeId: 'C9' })
    await tell(disputed('open', { chargeId: 'C9' }))
    const [event] = await eventsOf(payment.id, 'payment.disputed')
    expect(event?.data).toMatchObject({ currency: 'EUR', disputedAmount: 99, disputedCurrency: 'USD' })
  })
})

const now = (): Timestamp => timestamp(new Date())

/** A payment of a provider that a test plays, and what its signed callbacks state. */
async function aPlayedPayment(parts: Parameters<typeof played>[0] = {}) {
  const payment = await aPayment(user, { provider: 'played' }, played())
  let events = 0
  const tell = async (statement: Statement) => {
    events += 1
    const event = {
      eventId: `${payment.id} ${events}`,
      type: statement.kind,
      references: [payment.id],
      statement,
    }
    const providers = played({ ...parts, interpret: () => [event] })
    expect((await deliver(fromPlayed(), { providers })).status).toBe(200)
  }
  const charge = { kind: 'succeeded', at: now(), money: money(payment.amount), chargeId: 'C1' } as const
  return { payment, tell, charge, providers: played(parts) }
}
const money = (amount: number, currency: 'EUR' | 'USD' = 'EUR') => ({ amount, currency })
const disputed = (
  state: StatementOf<'dispute'>['state'],
  more: Partial<StatementOf<'dispute'>> = {},
): Statement => ({ kind: 'dispute', at: now(), disputeId: 'D1', state, chargeId: 'C1', ...more })
const refunded = (amount: number, more: Partial<StatementOf<'refund'>> = {}): Statement => ({
  kind: 'refund',
  at: now(),
  money: money(amount),
  state: 'succeeded',
  providerRefundId: 'R1',
  refundId: null,
  chargeId: 'C1',
  reason: null,
  ...more,
})

describe('what names a charge that is not known', () => {
  it('counts nowhere and needs someone, until that charge is known', async () => {
    const { payment, tell, charge } = await aPlayedPayment()
    await tell(charge)
    await tell(refunded(300, { chargeId: 'C2' }))
    await tell(disputed('lost', { chargeId: 'C2', money: money(500) }))
    expect(await inFull(payment)).toMatchObject({
      status: 'SUCCEEDED',
      amountRefunded: 0,
      amountDisputed: 0,
      attention: [{ code: 'unknown_charge' }],
    })
    await tell({ ...charge, chargeId: 'C2' })
    expect(await codesOf(payment)).toEqual(['second_charge'])
    expect((await inFull(payment)).charges).toMatchObject([
      { id: 'C1', state: 'COUNTS', amountRefunded: 0 },
      { id: 'C2', state: 'SECOND', amountRefunded: 300, amountDisputed: 500 },
    ])
  })
})

describe('a dispute', () => {
  it('a dispute without a sum takes what is left of its charge', async () => {
    const { payment, tell, charge } = await aPlayedPayment()
    await tell(charge)
    await tell(refunded(2_550))
    await tell(disputed('lost', { money: null }))
    expect(await inFull(payment)).toMatchObject({
      status: 'CHARGED_BACK',
      amountRefunded: 2_550,
      amountDisputed: 10_000,
      attention: [],
      disputes: [{ id: 'D1', amount: 10_000, state: 'LOST' }],
    })
  })

  it('in another currency than its charge moves nothing and needs someone', async () => {
    const { payment, tell, charge } = await aPlayedPayment()
    await tell(charge)
    await tell(disputed('lost', { money: money(500, 'USD') }))
    expect(await inFull(payment)).toMatchObject({
      status: 'SUCCEEDED',
      amountDisputed: 0,
      attention: [{ code: 'wrong_currency' }],
    })
  })

  it('a dispute that is lost after its money was refunded needs someone', async () => {
    const { payment, tell, charge } = await aPlayedPayment()
    await tell(charge)
    await tell(refunded(12_550))
    await tell(disputed('lost', { money: money(12_550) }))
    expect(await inFull(payment)).toMatchObject({
      status: 'CHARGED_BACK',
      attention: [{ code: 'refunded_and_charged_back' }],
    })
  })

  it('what a lost dispute left of its charge is given back, and nothing of a charge that it took whole', async () => {
    const startRefund = async () => ({ state: 'succeeded', providerRefundId: 'R1' }) as const
    const refundsAfter = async (lost: number) => {
      const { payment, tell, charge, providers } = await aPlayedPayment({ startRefund })
      await tell(charge)
      await tell(disputed('open', { money: money(lost) }))
      await tell(disputed('lost', { money: money(lost) }))
      return refund(payment, {}, providers)
    }
    expect(await refundsAfter(4_000)).toMatchObject({ status: 201, body: { amount: 8_550 } })
    expect(await refundsAfter(12_550)).toMatchObject({
      status: 409,
      body: { code: 'payment_not_refundable' },
    })
  })

  it('a payment that lost a part and gave back the rest has nothing left to refund', async () => {
    const startRefund = async () => ({ state: 'succeeded', providerRefundId: 'R1' }) as const
    const { payment, tell, charge, providers } = await aPlayedPayment({ startRefund })
    await tell(charge)
    await tell(disputed('lost', { money: money(4_000) }))
    expect(await refund(payment, {}, providers)).toMatchObject({ status: 201, body: { amount: 8_550 } })
    expect(await refund(payment, { amount: 1 }, providers)).toMatchObject({
      status: 409,
      body: { code: 'refund_exceeds_payment', left: 0 },
    })
  })

  it('a dispute dated in the future is followed by what is received later', async () => {
    const { payment, tell, charge } = await aPlayedPayment()
    await tell(charge)
    await tell(disputed('open', { at: timestamp(new Date('2099-01-01T00:00:00.000Z')) }))
    expect((await paymentOf(user, payment.id)).status).toBe('DISPUTED')
    await tell(disputed('won', { at: now() }))
    expect((await paymentOf(user, payment.id)).status).toBe('SUCCEEDED')
  })
})

describe('a second charge', () => {
  it('is announced once, whatever else the provider states of its payment', async () => {
    const { payment, tell, charge } = await aPlayedPayment()
    await tell(charge)
    await tell({ ...charge, chargeId: 'C2' })
    await tell(refunded(300))
    await tell(disputed('open', { money: money(500) }))
    expect(await eventsOf(payment.id, 'payment.overcharged')).toHaveLength(1)
  })
})

describe('the ledger of a payment', () => {
  it('lists its postings in the order in which they were booked, however many there are', async () => {
    const { payment, tell, charge } = await aPlayedPayment()
    await tell(charge)
    const amounts = Array.from({ length: 12 }, (_, index) => index + 1)
    for (const amount of amounts) await tell(refunded(amount, { providerRefundId: `R${amount}` }))
    const { ledger } = await inFull(payment)
    const given = ledger.filter(({ account, amount }) => account === 'provider:played' && amount < 0)
    expect(given.map(({ amount }) => -amount)).toEqual(amounts)
  })
})

describe('the story of a payment', () => {
  it('shows a refund of ours once, by our answer and by the callback of it', async () => {
    const startRefund = async () => ({ state: 'succeeded', providerRefundId: 'R7' }) as const
    const { payment, tell, charge, providers } = await aPlayedPayment({ startRefund })
    await tell(charge)
    await refund(payment, { amount: 500 }, providers)
    await tell(refunded(500, { providerRefundId: 'R7' }))
    const { events } = await paymentOf(user, payment.id)
    expect(events.map(({ type }) => type).filter((type) => type === 'payment.refunded')).toHaveLength(1)
  })
})

/** The callback that waits for a payment by a reference. */
async function unmatched(reference: string): Promise<CallbackView | undefined> {
  const answer = await call(listCallbacks, { token, query: { status: 'UNMATCHED' } })
  const { items }: { items: CallbackView[] } = answer.body
  return items.find((each) => each.reference === reference)
}

describe('GET /admin/payments/callbacks/{id}', () => {
  it('shows what was understood, and the payments that it may be about', async () => {
    const amount = 700_000 + Math.floor(Math.random() * 100_000)
    const payment = await aPayment(user, { amount, currency: 'XOF' })
    const reference = `order_${payment.id}`
    await deliver(
      fromGateway('payment.succeeded', { id: `txn_${reference}`, reference, amount, currency: 'XOF' }),
    )
    const listed = await unmatched(reference)
    expect(listed).toMatchObject({ amount, currency: 'XOF', paymentId: null })
    const answer = await call(getCallback, { token, params: { id: listed?.id ?? '' } })
    expect(answer).toMatchObject({
      status: 200,
      body: {
        id: listed?.id,
        reference,
        facts: [{ kind: 'succeeded', amount, currency: 'XOF', chargeId: `txn_${reference}` }],
        candidates: [{ id: payment.id, amount, currency: 'XOF', status: 'PENDING' }],
      },
    })
  })

  it('shows five payments that it may be about', async () => {
    const amount = 800_000 + Math.floor(Math.random() * 100_000)
    for (let count = 0; count < 7; count += 1) await aPayment(user, { amount, currency: 'XOF' })
    const reference = `order_of_${amount}`
    const data = { id: `txn_${reference}`, reference, amount, currency: 'XOF' }
    await deliver(fromGateway('payment.succeeded', data))
    const params = { id: (await unmatched(reference))?.id ?? '' }
    expect((await call(getCallback, { token, params })).body.candidates).toHaveLength(5)
  })

  it('is for administrators, and unknown ones are a 404', async () => {
    const params = { id: 'cbk_01KAH3M6XQ8ZJ4T2V7W9C5RBND' }
    expect(await call(getCallback, { token, params })).toMatchObject({ status: 404 })
    expect(await call(getCallback, { token: user.token, params })).toMatchObject({ status: 403 })
    expect(await call(getCallback, { params })).toMatchObject({ status: 401 })
  })

  it('is replayed without a payment too, and nothing changes', async () => {
    const reference = `order_${PaymentId.parse((await aPayment(user)).id)}_x`
    const data = { id: `txn_${reference}`, reference, amount: 5, currency: 'XOF' }
    await deliver(fromGateway('payment.succeeded', data))
    const listed = await unmatched(reference)
    const params = { id: listed?.id ?? '' }
    expect(await call(replayCallback, { token, params, body: {} })).toMatchObject({
      status: 200,
      body: { wouldChange: null, callback: { status: 'UNMATCHED' } },
    })
  })
})
