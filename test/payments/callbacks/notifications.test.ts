import { beforeAll, describe, expect, inject, it } from 'vitest'
import { spec as listNotifications } from '#functions/payments/list-notifications'
import { spec as replayNotification } from '#functions/payments/replay-notification'
import { openTable } from '#lib/dynamo/table'
import { newId } from '#lib/kernel/id'
import { localDynamoClient } from '#lib/local/dynamodb'
import type { NotificationView } from '#lib/payments/callbacks/notification-view'
import { notificationKey, paymentKey } from '#lib/payments/payment.keys'
import { call } from '#test/support/call'
import { deliver, fromGateway } from '#test/support/callbacks'
import { aUser, consoleToken, type GivenUser } from '#test/support/given'
import { aPayment, fromPlayed, paymentOf, played, reads, success } from '#test/support/payments'
import { testProviders } from '#test/support/providers'

let user: GivenUser
let token: string
beforeAll(async () => {
  user = await aUser()
  token = await consoleToken()
})

const list = async (query: Record<string, string> = {}): Promise<NotificationView[]> =>
  (await call(listNotifications, { token, query: { limit: '100', ...query } })).body['items' as never]
const replay = (id: string, body: object = {}) =>
  call(replayNotification, { token, params: { id }, body, deps: { providers: testProviders() } })
const money = (id: string, amount = 12_550) => ({ reference: id, amount, currency: 'EUR' })
const kept = async (eventId: string, query: Record<string, string> = {}) => {
  const found = (await list(query)).find((notification) => notification.eventId === eventId)
  if (!found) throw new Error(`${eventId} is not listed`)
  return found
}

describe('GET /admin/payments/notifications', () => {
  it('lists those that need someone, newest first, and the others by status or provider', async () => {
    const { id } = await aPayment(user)
    const tell = (eventId: string, type: string, data: object) =>
      deliver(fromGateway(type, data, { id: eventId }))
    await tell('msg_unmatched', 'payment.succeeded', money('nobody_knows'))
    await tell('msg_mismatched', 'payment.succeeded', money(id, 1))
    await tell('msg_paid', 'payment.succeeded', money(id))
    await tell('msg_paid', 'payment.failed', money(id))
    await tell('msg_failed', 'payment.succeeded', { ...money(id), amount: [] })
    await tell('msg_ignored', 'payment.blessed', {})
    const asked = await list()
    expect(asked.map(({ eventId, status }) => [eventId, status])).toEqual(
      expect.arrayContaining([
        ['msg_unmatched', 'UNMATCHED'],
        ['msg_mismatched', 'MISMATCHED'],
        ['msg_paid', 'CONFLICT'],
        ['msg_failed', 'FAILED'],
      ]),
    )
    expect(asked).toHaveLength(4)
    expect((await list({ status: 'PROCESSED' })).map(({ eventId }) => eventId)).toEqual(['msg_paid'])
    expect((await list({ status: 'IGNORED' })).map(({ eventId }) => eventId)).toEqual(['msg_ignored'])
    expect(await list({ provider: 'standard-webhooks' })).toHaveLength(6)
    expect(await list({ provider: 'stripe' })).toEqual([])
    expect(await list({ status: 'PROCESSED', provider: 'stripe' })).toEqual([])
  })

  it('goes on where a page ended', async () => {
    const first = await call(listNotifications, { token, query: { limit: '3' } })
    const { items, nextCursor }: { items: NotificationView[]; nextCursor: string } = first.body
    const second = await call(listNotifications, { token, query: { limit: '3', cursor: nextCursor } })
    expect(items).toHaveLength(3)
    expect(second.body).toMatchObject({ items: [{}], nextCursor: null })
  })

  it('is for administrators', async () => {
    expect(await call(listNotifications, { token: user.token })).toMatchObject({ status: 403 })
    expect(await call(listNotifications)).toMatchObject({ status: 401 })
  })
})

describe('POST /admin/payments/notifications/{id}/replay', () => {
  const table = () =>
    openTable(process.env['TABLE_NAME'] ?? '', () => localDynamoClient(inject('stack').dynamoEndpoint))

  it('says what would change, then changes it, and then nothing more', async () => {
    const { id } = await aPayment(user)
    await deliver(fromGateway('payment.succeeded', money(id, 12_000), { id: `msg_${id}` }))
    const mismatched = await kept(`msg_${id}`)
    // As if the payment had been opened with a wrong amount, and put right since.
    await table().commit([{ update: paymentKey(id), set: { amount: 12_000 } }])
    const changes = {
      notification: { id: mismatched.id, status: 'PROCESSED', paymentId: id, detail: null },
      wouldChange: { status: { from: 'PENDING', to: 'SUCCEEDED' }, charges: { from: 0, to: 1 } },
    }
    expect(await replay(mismatched.id, { dryRun: true })).toMatchObject({
      status: 200,
      body: { dryRun: true, ...changes },
    })
    expect((await paymentOf(user, id)).status).toBe('PENDING')
    expect(await replay(mismatched.id)).toMatchObject({ status: 200, body: { dryRun: false, ...changes } })
    expect((await paymentOf(user, id)).status).toBe('SUCCEEDED')
    expect(await replay(mismatched.id)).toMatchObject({
      status: 200,
      body: { notification: { status: 'PROCESSED' }, wouldChange: null },
    })
    expect((await list()).map((notification) => notification.id)).not.toContain(mismatched.id)
    expect(await kept(`msg_${id}`, { status: 'PROCESSED' })).toMatchObject({ id: mismatched.id })
  })

  it('reads the raw body anew where it could not be understood', async () => {
    const { id } = await aPayment(user)
    await deliver(fromGateway('payment.succeeded', money(id), { id: `msg_${id}` }))
    const processed = await kept(`msg_${id}`, { status: 'PROCESSED' })
    const other = await aPayment(user)
    // As a version of ours that did not know these events would have kept it.
    const unread = { status: 'FAILED', statement: null, references: [], paymentId: null }
    const body = Buffer.from(JSON.stringify({ type: 'payment.succeeded', data: money(other.id) }))
    await table().commit([{ update: notificationKey(processed.id), set: { ...unread, rawBody: body } }])
    expect(await replay(processed.id)).toMatchObject({
      status: 200,
      body: { notification: { paymentId: other.id }, wouldChange: { status: { to: 'SUCCEEDED' } } },
    })
    expect((await paymentOf(user, other.id)).status).toBe('SUCCEEDED')
  })

  it('believes one that was signed as a whole, though its provider could be asked', async () => {
    const payment = await aPayment(user, { provider: 'played' }, played())
    const fault = { eventId: `f_${payment.id}`, type: 'paid', references: [], statement: null, fault: 'New' }
    await deliver(fromPlayed(), { providers: played({ translate: () => [fault] }) })
    const { id } = await kept(fault.eventId, { status: 'FAILED' })
    const understood = success(payment, { eventId: fault.eventId })
    const providers = played({ translate: () => [understood], readPayment: async () => null })
    expect(
      await call(replayNotification, { token, params: { id }, body: {}, deps: { providers } }),
    ).toMatchObject({
      body: { notification: { status: 'PROCESSED' }, wouldChange: { status: { to: 'SUCCEEDED' } } },
    })
  })

  it('asks the provider about the payment that one only points at', async () => {
    const payment = await aPayment(user, { provider: 'played' }, played())
    const pointer = { eventId: `p_${payment.id}`, type: 'changed', references: [payment.id], statement: null }
    const pointing = { verify: () => 'sender' as const, translate: () => [pointer] }
    await deliver(fromPlayed(), { providers: played({ ...pointing, readPayment: async () => null }) })
    const ignored = await kept(pointer.eventId, { status: 'IGNORED' })
    const providers = played({ ...pointing, readPayment: reads(async () => [success(payment)]) })
    const again = (body: object) =>
      call(replayNotification, { token, params: { id: ignored.id }, body, deps: { providers } })
    const wouldChange = { status: { from: 'PENDING', to: 'SUCCEEDED' } }
    expect(await again({ dryRun: true })).toMatchObject({ status: 200, body: { wouldChange } })
    expect((await paymentOf(user, payment.id)).status).toBe('PENDING')
    expect(await again({})).toMatchObject({
      status: 200,
      body: { notification: { status: 'PROCESSED', paymentId: payment.id }, wouldChange },
    })
    expect((await paymentOf(user, payment.id)).status).toBe('SUCCEEDED')
  })

  it('says from which status a payment goes whose time is over, though nobody has written that yet', async () => {
    const { id } = await aPayment(user)
    await deliver(fromGateway('payment.succeeded', money(id, 12_000), { id: `msg_late_${id}` }))
    const { id: notification } = await kept(`msg_late_${id}`)
    await table().commit([
      { update: paymentKey(id), set: { amount: 12_000, expiresAt: '2026-01-01T00:00:00.000Z' } },
    ])
    expect(await replay(notification, { dryRun: true })).toMatchObject({
      body: { wouldChange: { status: { from: 'EXPIRED', to: 'SUCCEEDED' } } },
    })
  })

  it('leaves one alone whose payment is still unknown, and a conflict', async () => {
    for (const eventId of ['msg_unmatched', 'msg_paid']) {
      const before = await kept(eventId)
      const answer = await replay(before.id)
      expect(answer).toMatchObject({ status: 200, body: { notification: before, wouldChange: null } })
    }
  })

  it('answers 404 for one that is not there, and is for administrators', async () => {
    expect(await replay(newId('notification'))).toMatchObject({ status: 404 })
    expect(await replay('ntf_1')).toMatchObject({ status: 404 })
    const request = { params: { id: newId('notification') }, body: {} }
    expect(await call(replayNotification, { ...request, token: user.token })).toMatchObject({ status: 403 })
  })
})
