import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { spec as listActions } from '#functions/administration/list-actions'
import { spec as listCallbacks } from '#functions/payments/list-callbacks'
import { spec as replayCallback } from '#functions/payments/replay-callback'
import { TABLE_WRITES } from '#lib/dynamo/table'
import { newId, PaymentId } from '#lib/kernel/id'
import type { CallbackView } from '#lib/payments/callbacks/callback-view'
import { callbackKey, paymentKey, referenceKey } from '#lib/payments/payment.keys'
import { call } from '#test/support/call'
import { deliver, fromGateway, fromStripe } from '#test/support/callbacks'
import { aUser, consoleToken, type GivenUser } from '#test/support/given'
import { aPayment, fromPlayed, paymentOf, played, reads, success } from '#test/support/payments'
import { testProviders } from '#test/support/providers'
import { testTable } from '#test/support/test-table'

let user: GivenUser
let token: string
beforeAll(async () => {
  user = await aUser()
  token = await consoleToken()
})

const list = async (query: Record<string, string> = {}): Promise<CallbackView[]> =>
  (await call(listCallbacks, { token, query: { limit: '100', ...query } })).body.items
const replay = (id: string, body: object = {}) =>
  call(replayCallback, { token, params: { id }, body, deps: { providers: testProviders() } })
const money = (id: string, amount = 12_550) => ({ reference: id, amount, currency: 'EUR' })
const kept = async (eventId: string, query: Record<string, string> = {}) => {
  const found = (await list(query)).find((callback) => callback.eventId === eventId)
  if (!found) throw new Error(`${eventId} is not listed`)
  return found
}

describe('GET /admin/payments/callbacks', () => {
  it('lists those that need someone, newest first, and the others by status or provider', async () => {
    const { id } = await aPayment(user)
    const send = (eventId: string, type: string, data: object) =>
      deliver(fromGateway(type, data, { id: eventId }))
    await send('msg_unmatched', 'payment.succeeded', money('nobody_knows'))
    await send('msg_mismatched', 'payment.succeeded', money(id, 1))
    await send('msg_paid', 'payment.succeeded', money(id))
    await send('msg_paid', 'payment.failed', money(id))
    await send('msg_failed', 'payment.succeeded', { ...money(id), amount: [] })
    await deliver(fromStripe({ id: 'evt_ignored', type: 'customer.blessed', data: { object: {} } }))
    const attended = await list()
    expect(attended.map(({ eventId, status }) => [eventId, status])).toEqual(
      expect.arrayContaining([
        ['msg_unmatched', 'UNMATCHED'],
        ['msg_mismatched', 'MISMATCHED'],
        ['msg_paid', 'CONFLICT'],
        ['msg_failed', 'FAILED'],
      ]),
    )
    expect(attended).toHaveLength(4)
    expect((await list({ status: 'PROCESSED' })).map(({ eventId }) => eventId)).toEqual(['msg_paid'])
    expect((await list({ status: 'IGNORED' })).map(({ eventId }) => eventId)).toEqual(['evt_ignored'])
    expect(await list({ provider: 'standard-webhooks' })).toHaveLength(5)
    expect(await list({ provider: 'stripe' })).toHaveLength(1)
    expect(await list({ status: 'PROCESSED', provider: 'stripe' })).toEqual([])
  })

  it('goes on where a page ended', async () => {
    const first = await call(listCallbacks, { token, query: { limit: '3' } })
    const { items, nextCursor } = first.body
    const second = await call(listCallbacks, { token, query: { limit: '3', cursor: nextCursor ?? '' } })
    expect(items).toHaveLength(3)
    expect(second.body).toMatchObject({ items: [{}], nextCursor: null })
  })

  it('is for administrators', async () => {
    expect(await call(listCallbacks, { token: user.token })).toMatchObject({ status: 403 })
    expect(await call(listCallbacks)).toMatchObject({ status: 401 })
  })
})

describe('POST /admin/payments/callbacks/{id}/replay', () => {
  it('says what would change, then changes it, and then nothing more', async () => {
    const { id } = await aPayment(user)
    const reference = `order_${id}`
    await deliver(fromGateway('payment.succeeded', money(reference), { id: `msg_${id}` }))
    const unmatched = await kept(`msg_${id}`)
    // As if the function that stored the name had died before it applied what waits by it.
    const name = {
      ...referenceKey('standard-webhooks', reference),
      kind: 'payment-reference',
      reference,
      paymentId: id,
    }
    const known = TABLE_WRITES.update(paymentKey(PaymentId.parse(id)), {
      set: { references: [reference] },
    })
    await testTable().commit([TABLE_WRITES.put(name), known])
    const changes = {
      callback: { id: unmatched.id, status: 'PROCESSED', paymentId: id, detail: null },
      wouldChange: { status: { from: 'PENDING', to: 'SUCCEEDED' }, charges: { from: 0, to: 1 } },
    }
    expect(await replay(unmatched.id, { dryRun: true })).toMatchObject({
      status: 200,
      body: { dryRun: true, ...changes },
    })
    expect((await paymentOf(user, id)).status).toBe('PENDING')
    expect(await replay(unmatched.id)).toMatchObject({ status: 200, body: { dryRun: false, ...changes } })
    expect((await paymentOf(user, id)).status).toBe('SUCCEEDED')
    for (const dryRun of [true, false]) {
      expect(await replay(unmatched.id, { dryRun })).toMatchObject({
        status: 200,
        body: { dryRun, callback: { status: 'PROCESSED' }, wouldChange: null },
      })
    }
    // Both replays are recorded, and no dry run.
    const replayed = { action: 'callback.replayed', details: { paymentId: id, status: 'PROCESSED' } }
    const { body } = await call(listActions, { token, query: { subject: unmatched.id } })
    expect(body.items).toMatchObject([replayed, replayed])
    expect((await list()).map((callback) => callback.id)).not.toContain(unmatched.id)
    expect(await kept(`msg_${id}`, { status: 'PROCESSED' })).toMatchObject({ id: unmatched.id })
  })

  it('reads the raw body anew where it could not be understood', async () => {
    const { id } = await aPayment(user)
    await deliver(fromGateway('payment.succeeded', money(id), { id: `msg_${id}` }))
    const processed = await kept(`msg_${id}`, { status: 'PROCESSED' })
    const other = await aPayment(user)
    // As a version of ours that did not know these events would have kept it.
    const unread = { status: 'FAILED', statement: null, references: [], paymentId: null }
    const body = Buffer.from(fromGateway('payment.succeeded', money(other.id)).rawBody)
    await testTable().commit([
      TABLE_WRITES.update(callbackKey(processed.id), { set: { ...unread, rawBody: gzipSync(body) } }),
    ])
    expect(await replay(processed.id)).toMatchObject({
      status: 200,
      body: { callback: { paymentId: other.id }, wouldChange: { status: { to: 'SUCCEEDED' } } },
    })
    expect((await paymentOf(user, other.id)).status).toBe('SUCCEEDED')
  })

  it('believes one that was signed as a whole, though its provider could be asked', async () => {
    const payment = await aPayment(user, { provider: 'played' }, played())
    const fault = { eventId: `f_${payment.id}`, type: 'paid', references: [], statement: null, fault: 'New' }
    await deliver(fromPlayed(), { providers: played({ interpret: () => [fault] }) })
    const { id } = await kept(fault.eventId, { status: 'FAILED' })
    const understood = success(payment, { eventId: fault.eventId })
    const providers = played({ interpret: () => [understood], readPayment: async () => null })
    expect(
      await call(replayCallback, { token, params: { id }, body: {}, deps: { providers } }),
    ).toMatchObject({
      body: { callback: { status: 'PROCESSED' }, wouldChange: { status: { to: 'SUCCEEDED' } } },
    })
  })

  it('asks the provider about the payment that one only points at', async () => {
    const payment = await aPayment(user, { provider: 'played' }, played())
    const pointer = { eventId: `p_${payment.id}`, type: 'changed', references: [payment.id], statement: null }
    const pointing = { verify: () => 'sender' as const, interpret: () => [pointer] }
    await deliver(fromPlayed(), { providers: played({ ...pointing, readPayment: async () => null }) })
    const ignored = await kept(pointer.eventId, { status: 'IGNORED' })
    const providers = played({ ...pointing, readPayment: reads(async () => [success(payment)]) })
    const again = (body: object) =>
      call(replayCallback, { token, params: { id: ignored.id }, body, deps: { providers } })
    const wouldChange = { status: { from: 'PENDING', to: 'SUCCEEDED' } }
    expect(await again({ dryRun: true })).toMatchObject({ status: 200, body: { wouldChange } })
    expect((await paymentOf(user, payment.id)).status).toBe('PENDING')
    expect(await again({})).toMatchObject({
      status: 200,
      body: { callback: { status: 'PROCESSED', paymentId: payment.id }, wouldChange },
    })
    expect((await paymentOf(user, payment.id)).status).toBe('SUCCEEDED')
  })

  it('says from which status a payment goes whose time is over, though nobody has written that yet', async () => {
    const { id } = await aPayment(user)
    const reference = `order_${id}`
    await deliver(fromGateway('payment.succeeded', money(reference), { id: `msg_late_${id}` }))
    const { id: callback } = await kept(`msg_late_${id}`)
    const name = {
      ...referenceKey('standard-webhooks', reference),
      kind: 'payment-reference',
      reference,
      paymentId: id,
    }
    await testTable().commit([
      TABLE_WRITES.put(name),
      TABLE_WRITES.update(paymentKey(PaymentId.parse(id)), {
        set: { expiresAt: '2026-01-01T00:00:00.000Z', references: [reference] },
      }),
    ])
    expect(await replay(callback, { dryRun: true })).toMatchObject({
      body: { wouldChange: { status: { from: 'EXPIRED', to: 'SUCCEEDED' } } },
    })
  })

  it('leaves one alone whose payment is still unknown, and a conflict', async () => {
    for (const eventId of ['msg_unmatched', 'msg_paid']) {
      const before = await kept(eventId)
      const answer = await replay(before.id)
      expect(answer).toMatchObject({ status: 200, body: { callback: before, wouldChange: null } })
    }
  })

  it('answers 404 for one that is not there, and is for administrators', async () => {
    expect(await replay(newId('callback'))).toMatchObject({ status: 404 })
    expect(await replay('ntf_1')).toMatchObject({ status: 404 })
    const request = { params: { id: newId('callback') }, body: {} }
    expect(await call(replayCallback, { ...request, token: user.token })).toMatchObject({ status: 403 })
  })
})
