import { beforeAll, describe, expect, it } from 'vitest'
import { spec as createPayment } from '#functions/payments/create-payment'
import { spec as getPayment } from '#functions/payments/get-payment'
import type { Table } from '#lib/dynamo/table'
import { CallbackId } from '#lib/kernel/id'
import { type Write, WriteConflict } from '#lib/kernel/write'
import { type Callback, needsSomeone } from '#lib/payments/callbacks/callback'
import { ATTENTION, type CallbackStore } from '#lib/payments/callbacks/callback-store'
import { openCallbacks } from '#lib/payments/callbacks/callback-store.dynamo'
import { openPayments } from '#lib/payments/payment-store.dynamo'
import type { PaymentView } from '#lib/payments/payment-view'
import { call } from '#test/support/call'
import { deliver, fromGateway, fromStripe, type SignedCallback } from '#test/support/callbacks'
import { aUser, type GivenUser } from '#test/support/given'
import { SETTINGS, testProviders } from '#test/support/providers'
import { testTable } from '#test/support/test-table'

let user: GivenUser
let table: Table
beforeAll(async () => {
  user = await aUser()
  table = testTable()
})

const aPayment = async (provider = 'standard-webhooks'): Promise<PaymentView> => {
  const session = { id: `cs_${Math.random()}`, url: 'https://checkout.example/1', expires_at: 4_000_000_000 }
  const providers = testProviders(SETTINGS, {
    http: async () => ({ status: 200, body: JSON.stringify(session) }),
  })
  const body = { provider, amount: 12_550, currency: 'EUR', purpose: 'rent' }
  return (await call(createPayment, { token: user.token, body, deps: { providers } })).body
}
const get = async (id: string): Promise<PaymentView> =>
  (await call(getPayment, { token: user.token, params: { id } })).body
const money = (id: string, amount = 12_550) => ({ reference: id, amount, currency: 'EUR' })

/** Delivers a callback and returns what the store then holds of it. */
async function kept(callback: SignedCallback): Promise<Callback[]> {
  const callbacks = openCallbacks(table)
  const inserted: Callback[] = []
  const watched: CallbackStore = {
    ...callbacks,
    insert: (callback) => {
      inserted.push(callback)
      return callbacks.insert(callback)
    },
  }
  expect(await deliver(callback, { callbacks: watched })).toMatchObject({ status: 200 })
  const all = await Promise.all(inserted.map(({ id }) => callbacks.ofSameEvent(id)))
  return all.flatMap((callback) => callback ?? [])
}

describe('the store of callbacks', () => {
  it('keeps what was processed, raw, with its hash, for ninety days', async () => {
    const { id } = await aPayment()
    const sent = fromGateway('payment.succeeded', money(id), { id: 'msg_whole' })
    const [callback] = await kept(sent)
    expect(callback).toMatchObject({
      id: expect.stringMatching(/^cbk_[0-9A-HJKMNP-TV-Z]{26}$/),
      provider: 'standard-webhooks',
      eventId: 'msg_whole',
      type: 'payment.succeeded',
      status: 'PROCESSED',
      paymentId: id,
      detail: null,
      rawBodySha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      headers: { 'webhook-id': 'msg_whole' },
    })
    expect(Buffer.from(callback?.rawBody ?? []).toString()).toBe(sent.rawBody)
    const days = ((callback?.expiresAtSeconds ?? 0) * 1000 - Date.now()) / 86_400_000
    expect(Math.round(days)).toBe(90)
  })

  it('neither lists nor counts a callback among those that need someone while it is being processed', async () => {
    const { id } = await aPayment()
    const callbacks = openCallbacks(table)
    const listed: string[] = []
    const counted: boolean[] = []
    const watched: CallbackStore = {
      ...callbacks,
      insert: async (callback) => {
        const inserted = await callbacks.insert(callback)
        counted.push(needsSomeone(callback))
        const list = () => callbacks.list(ATTENTION, { limit: 100, after: undefined })
        const { items } = await list()
        listed.push(...items.map(({ status, eventId }) => `${status} ${eventId}`))
        return inserted
      },
    }
    const sent = fromGateway('payment.succeeded', money(id), { id: 'msg_under_way' })
    expect(await deliver(sent, { callbacks: watched })).toMatchObject({ status: 200 })
    expect(listed).not.toContain('UNMATCHED msg_under_way')
    expect(counted).toEqual([false])
  })

  it('leaves no processed callback among those that need someone, where another copy stored meanwhile that it waits', async () => {
    const { id } = await aPayment()
    const sent = fromGateway('payment.succeeded', money(id), { id: `msg_overtaken_${id}` })
    const callbacks = openCallbacks(table)
    const none = async () => undefined
    const beforeThePayment = { ...openPayments(table), get: none, byReference: none }
    const overtaken: CallbackStore = {
      ...callbacks,
      insert: async (callback) => {
        const inserted = await callbacks.insert(callback)
        expect(await deliver(sent, { payments: beforeThePayment })).toMatchObject({ status: 200 })
        return inserted
      },
    }
    expect(await deliver(sent, { callbacks: overtaken })).toMatchObject({ status: 200 })
    expect((await get(id)).status).toBe('SUCCEEDED')
    for (const list of [ATTENTION, 'UNMATCHED']) {
      const { items } = await callbacks.list(list, { limit: 100, after: undefined })
      expect(items.filter(({ eventId }) => eventId === `msg_overtaken_${id}`)).toEqual([])
    }
  })

  it('shows the first callback of an event where it refuses the second', async () => {
    const { id } = await aPayment()
    const [first] = await kept(fromGateway('payment.succeeded', money(id), { id: 'msg_shown' }))
    if (!first) throw new Error('The callback is not stored')
    const second: Callback = { ...first, status: 'UNMATCHED', type: 'another' }
    expect(await openCallbacks(table).insert(second)).toEqual({ kind: 'known', first })
  })

  it('says why a sum did not match', async () => {
    const { id } = await aPayment()
    expect(await kept(fromGateway('payment.succeeded', money(id, 12_000)))).toMatchObject([
      {
        status: 'MISMATCHED',
        paymentId: id,
        detail: '12000 minor units of EUR were paid, 12550 minor units of EUR were asked for',
      },
    ])
  })

  it('keeps what it cannot place, what does not concern it and what it cannot read', async () => {
    const statuses = [
      await kept(fromGateway('payment.succeeded', money('mkt_pay_7f3a2c91'))),
      await kept(fromStripe({ id: 'evt_1', type: 'customer.blessed', data: { object: {} } })),
      await kept(fromStripe({ id: 'evt_2', type: 'refund.created', data: { object: { amount: 'much' } } })),
    ].map(([callback]) => [callback?.status, callback?.detail])
    expect(statuses).toEqual([
      ['UNMATCHED', null],
      ['IGNORED', null],
      ['FAILED', expect.stringContaining('id:')],
    ])
  })

  it('keeps a second meaning of an event id beside the first, once', async () => {
    const { id } = await aPayment()
    const message = { id: 'msg_two' }
    const [first] = await kept(fromGateway('payment.succeeded', money(id), message))
    for (const _ of [1, 2]) {
      const [same, other] = await kept(fromGateway('payment.failed', money(id), message))
      expect(same).toEqual(first)
      expect(other).toMatchObject({
        status: 'CONFLICT',
        paymentId: id,
        detail: expect.stringContaining(first?.id ?? ''),
      })
      expect(other?.id).not.toBe(first?.id)
    }
    expect((await get(id)).status).toBe('SUCCEEDED')
  })

  it('finds a callback by its whole id alone, and that of the same event whatever the time in the id', async () => {
    const { id } = await aPayment()
    const [callback] = await kept(fromGateway('payment.succeeded', money(id)))
    const callbacks = openCallbacks(table)
    const ofAnotherTime = CallbackId.parse(callback?.id.replace(/_.{10}/, '_0000000000'))
    expect(await callbacks.get(ofAnotherTime)).toBeUndefined()
    expect(await callbacks.ofSameEvent(ofAnotherTime)).toEqual(callback)
  })

  it('holds a quarter of a megabyte of body', async () => {
    const { id } = await aPayment()
    const callback = fromGateway('payment.succeeded', { ...money(id), note: 'x'.repeat(255 * 1024) })
    expect(await kept(callback)).toMatchObject([{ status: 'PROCESSED' }])
  })
})

describe('a failure on our side', () => {
  const broken = async (): Promise<never> => {
    throw new Error('The lights went out')
  }

  it('answers 5xx, and the next copy completes what was begun', async () => {
    const { id } = await aPayment()
    const callback = fromGateway('payment.succeeded', money(id))
    const payments = { ...openPayments(table), commit: broken }
    expect(await deliver(callback, { payments })).toMatchObject({ status: 500, body: { code: 'internal' } })
    expect((await get(id)).status).toBe('PENDING')
    expect(await deliver(callback)).toMatchObject({ status: 200 })
    expect((await get(id)).status).toBe('SUCCEEDED')
  })

  it('between the payment and what waited for its name is made good by the next copy', async () => {
    const { id } = await aPayment('stripe')
    const dispute = { id: `du_${id}`, payment_intent: `pi_${id}`, status: 'lost' }
    await deliver(fromStripe({ id: `evt_d${id}`, type: 'charge.dispute.created', data: { object: dispute } }))
    const intent = { id: `pi_${id}`, amount_received: 12_550, currency: 'eur', metadata: { payment_id: id } }
    const succeeded = fromStripe({
      id: `evt_s${id}`,
      type: 'payment_intent.succeeded',
      data: { object: intent },
    })
    const callbacks = { ...openCallbacks(table), waiting: broken }
    expect(await deliver(succeeded, { callbacks })).toMatchObject({ status: 500 })
    expect((await get(id)).status).toBe('SUCCEEDED')
    expect(await deliver(succeeded)).toMatchObject({ status: 200 })
    expect((await get(id)).status).toBe('CHARGED_BACK')
  })

  it('to win against other writers is tried again, and then told', async () => {
    const { id } = await aPayment()
    const store = openPayments(table)
    const losing = (times: number) => {
      let lost = 0
      return {
        ...store,
        commit: async (writes: Write[]) => {
          lost += 1
          if (lost <= times) throw new WriteConflict()
          return store.commit(writes)
        },
      }
    }
    const failed = fromGateway('payment.failed', money(id))
    expect(await deliver(failed, { payments: losing(3) })).toMatchObject({ status: 200 })
    expect((await get(id)).status).toBe('FAILED')
    const succeeded = fromGateway('payment.succeeded', money(id))
    expect(await deliver(succeeded, { payments: losing(99) })).toMatchObject({
      status: 503,
    })
    expect(await deliver(succeeded)).toMatchObject({ status: 200 })
    expect((await get(id)).status).toBe('SUCCEEDED')
  })
})

describe('what a provider says at too great a length', () => {
  it('leaves the payment one that can be read: an id that is too long is known by its hash', async () => {
    const { id } = await aPayment()
    await deliver(fromGateway('payment.succeeded', money(id)))
    const long = { id: `msg_${'a'.repeat(300)}` }
    const refund = { ...money(id, 100), refund_id: 'refund_1' }
    for (const _ of [1, 2])
      expect(await deliver(fromGateway('payment.refunded', refund, long))).toMatchObject({ status: 200 })
    expect(await get(id)).toMatchObject({ status: 'PARTIALLY_REFUNDED', amountRefunded: 100 })
  })

  it('is cut between two characters, and kept', async () => {
    const { id } = await aPayment()
    const failure = { ...money(id), message: `${'x'.repeat(499)}🏚 is what it said` }
    expect(await deliver(fromGateway('payment.failed', failure))).toMatchObject({ status: 200 })
    expect((await get(id)).failure?.message).toBe(`${'x'.repeat(499)}\ufffd`)
  })

  it('a text too long to keep is a fault of the callback, not of the payment', async () => {
    const { id } = await aPayment('stripe')
    const object = {
      id: `re_${id}`,
      amount: 1,
      currency: 'eur',
      reason: '\ud800'.repeat(900),
      charge: 'ch_1',
    }
    const [callback] = await kept(fromStripe({ id: `evt_r${id}`, type: 'refund.created', data: { object } }))
    expect(callback).toMatchObject({ status: 'UNMATCHED' })
    const dispute = { id: `du_${'x'.repeat(250)}\ud800`, payment_intent: `pi_${id}`, status: 'lost' }
    const [failed] = await kept(
      fromStripe({ id: `evt_d${id}`, type: 'charge.dispute.created', data: { object: dispute } }),
    )
    expect(failed).toMatchObject({ status: 'FAILED', detail: 'The id of the dispute cannot be kept' })
  })
})

describe('many different events at once', () => {
  it('all count', async () => {
    const { id } = await aPayment()
    const refunds = Array.from({ length: 10 }, (_, n) =>
      fromGateway('payment.refunded', { ...money(id, 100), refund_id: `r${n}` }),
    )
    const events = [fromGateway('payment.succeeded', money(id)), ...refunds]
    // A provider sends again whatever was not answered with 200.
    let pending = events
    while (pending.length > 0) {
      const answers = await Promise.all(pending.map((event) => deliver(event)))
      pending = pending.filter((_, place) => answers[place]?.status !== 200)
    }
    expect(await get(id)).toMatchObject({ status: 'PARTIALLY_REFUNDED', amountRefunded: 1_000 })
  })
})
