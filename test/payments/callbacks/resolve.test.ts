import { beforeAll, describe, expect, it } from 'vitest'
import { spec as listActions } from '#functions/administration/list-actions'
import { spec as getPaymentInFull } from '#functions/payments/get-payment-in-full'
import { spec as listCallbacks } from '#functions/payments/list-callbacks'
import { spec as refundPayment } from '#functions/payments/refund-payment'
import { spec as resolveCallback } from '#functions/payments/resolve-callback'
import { timestamp } from '#lib/kernel/clock'
import type { CallbackView } from '#lib/payments/callbacks/callback-view'
import { type PaymentStore, ReferenceTaken } from '#lib/payments/payment-store'
import { payments as paymentStore } from '#lib/payments/payment-store.dynamo'
import type { PaymentView } from '#lib/payments/payment-view'
import { call } from '#test/support/call'
import { deliver, fromGateway } from '#test/support/callbacks'
import { eventsOf } from '#test/support/events'
import { aUser, consoleToken, type GivenUser } from '#test/support/given'
import { aPayment, fromPlayed, paid, paymentOf, played, reads, success } from '#test/support/payments'
import { testProviders } from '#test/support/providers'

let user: GivenUser
let token: string
beforeAll(async () => {
  user = await aUser()
  token = await consoleToken()
})

const note = 'Agreed on the telephone'
const money = (payment: PaymentView, amount = 12_550, currency = 'EUR') => ({
  id: `txn_${payment.id}_${amount}`,
  reference: payment.id,
  amount,
  currency,
})
const kept = async (eventId: string): Promise<CallbackView> => {
  const { items }: { items: CallbackView[] } = (
    await call(listCallbacks, { token, query: { limit: '100', provider: 'standard-webhooks' } })
  ).body
  const found = items.find((each) => each.eventId === eventId)
  if (!found) throw new Error(`${eventId} is not there`)
  return found
}
const resolve = (id: string, body: object, deps: Record<string, unknown> = {}) =>
  call(resolveCallback, { token, params: { id }, body, deps: { providers: testProviders(), ...deps } })
const inFull = async ({ id }: PaymentView) => (await call(getPaymentInFull, { token, params: { id } })).body

async function aWrongSum(amount = 12_000, currency = 'EUR') {
  const payment = await aPayment(user)
  const eventId = `msg_${payment.id}`
  await deliver(fromGateway('payment.succeeded', money(payment, amount, currency), { id: eventId }))
  return { payment, callback: await kept(eventId) }
}

describe('POST /admin/payments/callbacks/{id}/resolve', () => {
  it('accepts a charge of another sum: what was paid is what the payment then goes by', async () => {
    const { payment, callback } = await aWrongSum()
    expect(await inFull(payment)).toMatchObject({ attention: [{ code: 'wrong_sum' }] })
    const answer = await resolve(callback.id, { action: 'ACCEPT', note })
    expect(answer).toMatchObject({ status: 200, body: { status: 'PROCESSED', paymentId: payment.id } })
    expect(await resolve(callback.id, { action: 'ACCEPT', note })).toMatchObject({
      status: 200,
      body: answer.body,
    })
    expect(await inFull(payment)).toMatchObject({
      status: 'SUCCEEDED',
      amount: 12_550,
      attention: [],
      amountPaid: 12_000,
      charges: [{ amount: 12_000, state: 'COUNTS' }],
      ledger: [
        { account: 'suspense:standard-webhooks', amount: -12_000 },
        { account: 'provider:standard-webhooks', amount: 12_000 },
        { account: 'platform', amount: -12_000 },
        { account: 'suspense:standard-webhooks', amount: 12_000 },
      ],
    })
    const [receipt] = await eventsOf(payment.id, 'payment.status_changed')
    expect(receipt?.data).toMatchObject({ to: 'SUCCEEDED', amount: 12_000, currency: 'EUR' })
    await deliver(
      fromGateway('payment.refunded', { ...money(payment, 12_000), refund_id: `r_${payment.id}` }),
    )
    expect((await paymentOf(user, payment.id)).status).toBe('REFUNDED')
  })

  it('accepts a charge beside the one that counts as a second one: the first success stays the first', async () => {
    const { payment, callback } = await aWrongSum()
    await deliver(fromGateway('payment.succeeded', money(payment)))
    expect(await inFull(payment)).toMatchObject({ status: 'SUCCEEDED', amountPaid: 12_550 })
    expect((await resolve(callback.id, { action: 'ACCEPT', note })).status).toBe(200)
    expect(await inFull(payment)).toMatchObject({
      status: 'SUCCEEDED',
      amountPaid: 12_550,
      attention: [{ code: 'second_charge' }],
      charges: [
        { amount: 12_000, state: 'SECOND' },
        { amount: 12_550, state: 'COUNTS' },
      ],
    })
  })

  it('accepts a charge whose id names another payment by now', async () => {
    const [payment, other] = [await aPayment(user), await aPayment(user)]
    const eventId = `msg_${payment.id}`
    const charge = { ...money(payment, 12_000), id: `txn_of_both_${payment.id}` }
    await deliver(fromGateway('payment.succeeded', charge, { id: eventId }))
    await deliver(fromGateway('payment.succeeded', { ...money(other), id: charge.id }))
    const { id } = await kept(eventId)
    expect(await resolve(id, { action: 'ACCEPT', note })).toMatchObject({
      status: 200,
      body: { status: 'PROCESSED', paymentId: payment.id },
    })
    expect(await paymentOf(user, payment.id)).toMatchObject({ status: 'SUCCEEDED', amountPaid: 12_000 })
    expect(await paymentOf(user, other.id)).toMatchObject({ status: 'SUCCEEDED', amountPaid: 12_550 })
  })

  it('accepts no other currency, and nothing but a wrong sum', async () => {
    const { callback } = await aWrongSum(12_550, 'USD')
    const refused = {
      status: 409,
      body: { code: 'callback_not_resolvable', callbackStatus: 'MISMATCHED' },
    }
    expect(await resolve(callback.id, { action: 'ACCEPT', note })).toMatchObject(refused)
    expect(await resolve(callback.id, { action: 'ATTACH', note })).toMatchObject(refused)
  })

  it('dismisses one, and its money stays a charge that was not asked for', async () => {
    const { payment, callback } = await aWrongSum()
    expect(await resolve(callback.id, { action: 'DISMISS', note })).toMatchObject({
      status: 200,
      body: { status: 'IGNORED' },
    })
    expect(await inFull(payment)).toMatchObject({
      status: 'PENDING',
      attention: [{ code: 'wrong_sum' }],
      charges: [{ amount: 12_000, state: 'UNASKED' }],
    })
    expect(await resolve(callback.id, { action: 'ACCEPT', note })).toMatchObject({
      status: 409,
      body: { callbackStatus: 'IGNORED' },
    })
  })

  it.each([
    ['a wrong sum', (payment: PaymentView) => money(payment, 12_000), 200],
    [
      'no payment of ours',
      (payment: PaymentView) => ({ ...money(payment), reference: `no_${payment.id}` }),
      200,
    ],
    ['what nobody understands', (payment: PaymentView) => ({ ...money(payment), amount: 1.5 }), 400],
  ])('leaves one of %s dismissed, however often it comes again', async (_what, dataOf, status) => {
    const payment = await aPayment(user)
    const eventId = `msg_again_${payment.id}`
    const send = () => deliver(fromGateway('payment.succeeded', dataOf(payment), { id: eventId }))
    expect((await send()).status).toBe(status)
    const { id } = await kept(eventId)
    expect((await resolve(id, { action: 'DISMISS', note })).status).toBe(200)
    expect((await send()).status).toBe(status)
    expect(await kept(eventId)).toMatchObject({ id, status: 'IGNORED' })
    expect((await resolve(id, { action: 'DISMISS', note })).status).toBe(200)
    const waiting = (await call(listCallbacks, { token, query: { limit: '100' } })).body.items
    expect(waiting.filter((each: CallbackView) => each.id === id)).toEqual([])
  })

  it('needs someone again where a message with other faults takes the place of a dismissed one', async () => {
    const payment = await aPayment(user)
    const eventId = `msg_faults_${payment.id}`
    const send = (more: object) =>
      deliver(fromGateway('payment.succeeded', { ...money(payment), ...more }, { id: eventId }))
    await send({ amount: 1.5 })
    const { id } = await kept(eventId)
    expect((await resolve(id, { action: 'DISMISS', note })).status).toBe(200)
    expect(await send({ currency: 'euro' })).toMatchObject({ status: 400 })
    const detail = 'data.currency must be three capital letters'
    expect(await kept(eventId)).toMatchObject({ id, status: 'FAILED', detail })
    expect(await resolve(id, { action: 'DISMISS', note })).toMatchObject({ body: { status: 'IGNORED' } })
    expect(await send(money(payment))).toMatchObject({ status: 200 })
    expect(await kept(eventId)).toMatchObject({ id, status: 'PROCESSED' })
  })

  it('attaches one that named no payment of ours', async () => {
    const payment = await aPayment(user)
    const eventId = `msg_lost_${payment.id}`
    const lost = { ...money(payment), reference: `lost_${payment.id}` }
    await deliver(fromGateway('payment.succeeded', lost, { id: eventId }))
    const { id } = await kept(eventId)
    const elsewhere = await aPayment(user, { provider: 'played' }, played())
    expect(await resolve(id, { action: 'ATTACH', paymentId: elsewhere.id, note })).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'paymentId' }] },
    })
    expect(await resolve(id, { action: 'ATTACH', paymentId: payment.id, note })).toMatchObject({
      status: 200,
      body: { status: 'PROCESSED', paymentId: payment.id },
    })
    expect((await paymentOf(user, payment.id)).status).toBe('SUCCEEDED')
  })

  it('asks the provider before it attaches what names no payment and is not covered by a signature', async () => {
    const payment = await aPayment(user, { provider: 'played' }, played())
    const claim = success(payment, { references: [] })
    const readPayment = async () => ({ references: [payment.id], charges: [], refunds: [], disputes: [] })
    const providers = played({ verify: () => 'sender', interpret: () => [claim], readPayment })
    await deliver(fromPlayed(), { providers })
    const query = { limit: '100', provider: 'played' }
    const { items } = (await call(listCallbacks, { token, query })).body
    const id = items.find(({ eventId }) => eventId === claim.eventId)?.id ?? ''
    const body = { action: 'ATTACH', paymentId: payment.id, note }
    expect(await resolve(id, body, { providers })).toMatchObject({ status: 503 })
    expect((await paymentOf(user, payment.id)).status).toBe('PENDING')
    const paidThere = played({
      ...(await providers.find('played')),
      readPayment: reads(async () => [success(payment)]),
    })
    expect(await resolve(id, body, { providers: paidThere })).toMatchObject({ status: 200 })
    expect((await paymentOf(user, payment.id)).status).toBe('SUCCEEDED')
  })

  it.each(['ACCEPT', 'DISMISS'])('answers two administrators who %s at once the same', async (action) => {
    const { callback } = await aWrongSum()
    const both = await Promise.all([1, 2].map(() => resolve(callback.id, { action, note })))
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    expect(both[0]?.body).toEqual(both[1]?.body)
  })

  it('takes one of two different decisions at once, and refuses the other with its status', async () => {
    const { callback } = await aWrongSum()
    const both = await Promise.all(
      ['ACCEPT', 'DISMISS'].map((action) => resolve(callback.id, { action, note })),
    )
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(both.find(({ status }) => status === 409)?.body).toMatchObject({
      code: 'callback_not_resolvable',
    })
  })

  it('attaches one to the payment of the first of two administrators, and refuses the second', async () => {
    const payments = [await aPayment(user), await aPayment(user)] as const
    const eventId = `msg_twice_${payments[0].id}`
    const lost = { ...money(payments[0]), reference: `twice_${payments[0].id}` }
    await deliver(fromGateway('payment.succeeded', lost, { id: eventId }))
    const { id } = await kept(eventId)
    const both = await Promise.all(
      payments.map((payment) => resolve(id, { action: 'ATTACH', paymentId: payment.id, note })),
    )
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(both.find(({ status }) => status === 409)?.body).toMatchObject({
      code: 'callback_not_resolvable',
      callbackStatus: 'PROCESSED',
    })
  })

  it('records one whose reference another payment takes at that moment, and answers it again', async () => {
    const payment = await aPayment(user)
    const eventId = `msg_taken_${payment.id}`
    const reference = `taken_${payment.id}`
    await deliver(fromGateway('payment.succeeded', { ...money(payment), reference }, { id: eventId }))
    const { id } = await kept(eventId)
    const payments = paymentStore.make()
    let isTaken = false
    const commit: PaymentStore['commit'] = async (writes) => {
      if (isTaken) return payments.commit(writes)
      isTaken = true
      throw new ReferenceTaken(reference)
    }
    const body = { action: 'ATTACH', paymentId: payment.id, note }
    const conflict = { status: 200, body: { status: 'CONFLICT' } }
    expect(await resolve(id, body, { payments: { ...payments, commit } })).toMatchObject(conflict)
    const { items } = (await call(listActions, { token, query: { subject: id } })).body
    expect(items).toMatchObject([{ action: 'callback.resolved', details: body }])
    expect(await resolve(id, body)).toMatchObject(conflict)
  })

  it('is for administrators', async () => {
    const { callback } = await aWrongSum()
    const request = { params: { id: callback.id }, body: { action: 'DISMISS', note } }
    expect(await call(resolveCallback, { ...request, token: user.token })).toMatchObject({ status: 403 })
    expect(await resolve('ntf_1', request.body)).toMatchObject({ status: 404 })
    expect(await resolve(callback.id, { action: 'DISMISS' })).toMatchObject({ status: 400 })
  })
})

describe('a second charge', () => {
  it('needs someone until it is given back, and changes no status', async () => {
    const payment = await aPayment(user)
    await paid(payment)
    const second = { ...money(payment), id: `txn_second_${payment.id}` }
    await deliver(fromGateway('payment.succeeded', second))
    expect(await inFull(payment)).toMatchObject({
      status: 'SUCCEEDED',
      attention: [{ code: 'second_charge' }],
      charges: [{ id: `txn_${payment.id}` }, { id: second.id }],
    })
    await deliver(
      fromGateway('payment.refunded', { ...second, refund_id: `r_${payment.id}`, charge_id: second.id }),
    )
    expect(await inFull(payment)).toMatchObject({ status: 'SUCCEEDED', amountRefunded: 0, attention: [] })
  })

  it('is refundable by itself, up to its own sum', async () => {
    const providers = played({
      startRefund: async ({ key }) => ({ state: 'succeeded', providerRefundId: key }),
    })
    const payment = await aPayment(user, { provider: 'played' }, providers)
    for (const chargeId of ['ch_1', 'ch_2']) {
      const statement = {
        kind: 'succeeded' as const,
        at: timestamp(new Date()),
        money: { amount: 12_550, currency: 'EUR' as const },
        chargeId: `${chargeId}_${payment.id}`,
      }
      const event = {
        eventId: `${chargeId} ${payment.id}`,
        type: 'paid',
        references: [payment.id],
        statement,
      }
      const told = played({ interpret: () => [event] })
      await deliver({ provider: 'played', headers: {}, rawBody: chargeId }, { providers: told })
    }
    const refund = (body: object) =>
      call(refundPayment, { token, params: { id: payment.id }, body, deps: { providers }, headers: KEYED() })
    expect(await refund({ chargeId: 'ch_9' })).toMatchObject({ status: 400 })
    expect(await refund({ chargeId: `ch_2_${payment.id}`, amount: 12_551 })).toMatchObject({ status: 409 })
    expect(await refund({ chargeId: `ch_2_${payment.id}` })).toMatchObject({
      status: 201,
      body: { amount: 12_550, chargeId: `ch_2_${payment.id}` },
    })
    expect(await paymentOf(user, payment.id)).toMatchObject({ status: 'SUCCEEDED', amountRefunded: 0 })
    expect(await refund({})).toMatchObject({ status: 201, body: { chargeId: `ch_1_${payment.id}` } })
    expect((await paymentOf(user, payment.id)).status).toBe('REFUNDED')
  })
})

const KEYED = () => ({ 'idempotency-key': String(Math.random()) })
