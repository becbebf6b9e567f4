import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { spec as refundPayment } from '#functions/payments/refund-payment'
import { timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import { newId } from '#lib/kernel/id'
import { openPayments } from '#lib/payments/payment-store.dynamo'
import type { PaymentView, RefundView } from '#lib/payments/payment-view'
import type { RefundOrder, StartedRefund } from '#lib/providers/provider'
import type { Providers } from '#lib/providers/registry'
import { call } from '#test/support/call'
import { deliver } from '#test/support/callbacks'
import { eventsAbout } from '#test/support/events'
import { aUser, consoleToken, type GivenUser } from '#test/support/given'
import { aPayment, fromPlayed, paid, paymentOf, played, success } from '#test/support/payments'
import { testProviders } from '#test/support/providers'
import { testTable } from '#test/support/test-table'

let user: GivenUser
let token: string
beforeAll(async () => {
  user = await aUser()
  token = await consoleToken()
})

/** A provider that refunds as a test says, and keeps what it was asked. */
function refunder(...answers: (StartedRefund['state'] | 'unavailable')[]) {
  const orders: RefundOrder[] = []
  const providers = played({
    startRefund: async (order) => {
      orders.push(order)
      const answer = answers[Math.min(orders.length, answers.length) - 1] ?? 'succeeded'
      if (answer === 'unavailable') throw refusedConnection()
      return { state: answer, providerRefundId: `re_${order.id}` }
    },
  })
  return { orders, providers }
}

/** The request was certainly not carried out: nobody listens there. */
const refusedConnection = () =>
  new DomainError('provider_unavailable', {
    cause: Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }),
  })

async function aPaidPayment(providers: Providers): Promise<PaymentView> {
  const payment = await aPayment(user, { provider: 'played' }, providers)
  await told(providers, success(payment))
  return payment
}

const told = (providers: Providers, event: ReturnType<typeof success>) => {
  const speaking: Providers = {
    ...providers,
    find: async (name) => {
      const provider = await providers.find(name)
      return provider && { ...provider, interpret: () => [event] }
    },
  }
  return deliver(fromPlayed(), { providers: speaking })
}

const refund = (
  { id }: { id: string },
  providers: Providers,
  body: object = {},
  key: string | undefined = undefined,
  deps: object = {},
) =>
  call(refundPayment, {
    token,
    params: { id },
    body,
    deps: { providers, ...deps },
    ...(key && { headers: { 'idempotency-key': key } }),
  })

describe('a refund of a charge that was not asked for', () => {
  /** A payment to which a charge of another sum or currency came. */
  async function aWrongCharge(money: { amount: number; currency: 'EUR' | 'XOF' }) {
    const { providers, orders } = refunder()
    const payment = await aPayment(user, { provider: 'played' }, providers)
    const chargeId = `ch_wrong_${payment.id}`
    const at = timestamp(new Date())
    const statement = { kind: 'succeeded', at, money, chargeId } as const
    await told(providers, success(payment, { eventId: `wrong_${payment.id}`, statement }))
    return { providers, orders, payment, chargeId }
  }

  it.each([
    { amount: 5_000, currency: 'EUR' },
    { amount: 12_550, currency: 'XOF' },
    { amount: 99_999, currency: 'EUR' },
  ] as const)('gives $amount $currency back and changes no status', async (money) => {
    const { providers, orders, payment, chargeId } = await aWrongCharge(money)
    expect(await refund(payment, providers)).toMatchObject({
      status: 409,
      body: { code: 'payment_not_refundable' },
    })
    expect(await refund(payment, providers, { chargeId, amount: 1_000 })).toMatchObject({
      status: 201,
      body: { chargeId, amount: 1_000, currency: money.currency, status: 'SUCCEEDED' },
    })
    const rest = money.amount - 1_000
    expect(await refund(payment, providers, { chargeId, amount: rest + 1 })).toMatchObject({
      status: 409,
      body: { code: 'refund_exceeds_payment', left: rest },
    })
    expect(await refund(payment, providers, { chargeId })).toMatchObject({
      status: 201,
      body: { amount: rest },
    })
    expect(orders.map((order) => order.chargeId)).toEqual([chargeId, chargeId])
    expect(await paymentOf(user, payment.id)).toMatchObject({
      status: 'PENDING',
      amountPaid: 0,
      amountRefunded: 0,
    })
  })

  it('never gives more back than came, however many ask at once', async () => {
    const { providers, orders, payment, chargeId } = await aWrongCharge({ amount: 5_000, currency: 'EUR' })
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => refund(payment, providers, { chargeId, amount: 3_000 })),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(orders).toHaveLength(1)
  })

  it('is a 400 for a charge that nobody knows, whatever the payment came to', async () => {
    const { providers, payment } = await aWrongCharge({ amount: 5_000, currency: 'EUR' })
    const unpaid = await aPayment(user, { provider: 'played' }, providers)
    for (const each of [payment, unpaid]) {
      expect(await refund(each, providers, { chargeId: 'ch_unknown' })).toMatchObject({
        status: 400,
        body: { errors: [{ path: 'chargeId' }] },
      })
    }
  })
})

describe('POST /payments/{id}/refunds', () => {
  /** That a provider gave 500 back, under its own id. */
  const given = (payment: Parameters<typeof success>[0], providerRefundId: string, at = new Date()) =>
    success(payment, {
      eventId: `evt_${providerRefundId}`,
      type: 'refunded',
      statement: {
        kind: 'refund',
        at: timestamp(at),
        money: { amount: 500, currency: 'EUR' },
        state: 'succeeded',
        providerRefundId,
        refundId: null,
        reason: null,
      },
    })

  it.each([
    ['succeeded', ['payment.refunded']],
    ['pending', ['payment.refund_started']],
    ['failed', ['payment.refund_failed']],
  ] as const)('announces a refund that its provider answers as %s once', async (answer, announced) => {
    const { providers } = refunder(answer)
    const payment = await aPaidPayment(providers)
    await refund(payment, providers, { amount: 500 })
    const types = (await eventsAbout(payment.id)).map(({ type }) => type)
    expect(types.filter((type) => type.startsWith('payment.refund'))).toEqual(announced)
  })

  it('refuses a part where the provider gives back whole charges only, and asks it for nothing', async () => {
    const orders: RefundOrder[] = []
    const startRefund = async (order: RefundOrder) => {
      orders.push(order)
      return { state: 'succeeded', providerRefundId: 're_1' } as const
    }
    const providers = played({ refundsWholeOnly: true, startRefund })
    const payment = await aPaidPayment(providers)
    expect(await refund(payment, providers, { amount: 500 })).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', errors: [{ path: 'amount' }] },
    })
    expect(orders).toEqual([])
    expect(await refund(payment, providers)).toMatchObject({ status: 201, body: { amount: 12_550 } })
  })

  it('gives back all that is left unless told, and says so of the payment', async () => {
    const { providers, orders } = refunder()
    const payment = await aPaidPayment(providers)
    const part = await refund(payment, providers, { amount: 550, reason: 'The heating was off' })
    expect(part).toMatchObject({
      status: 201,
      body: {
        id: expect.stringMatching(/^rfd_/),
        paymentId: payment.id,
        amount: 550,
        currency: 'EUR',
        status: 'SUCCEEDED',
        reason: 'The heating was off',
      },
    })
    expect(orders).toMatchObject([{ id: part.body.id, amount: 550, payment: { id: payment.id } }])
    expect(await refund(payment, providers)).toMatchObject({ status: 201, body: { amount: 12_000 } })
    expect(await paymentOf(user, payment.id)).toMatchObject({
      status: 'REFUNDED',
      amountRefunded: 12_550,
      refunds: [{ amount: 550 }, { amount: 12_000 }],
    })
    expect(await refund(payment, providers)).toMatchObject({
      status: 409,
      body: { code: 'payment_not_refundable' },
    })
  })

  it('reckons with what is pending, and gives back what failed', async () => {
    const { providers } = refunder('pending', 'failed', 'succeeded')
    const payment = await aPaidPayment(providers)
    expect(await refund(payment, providers, { amount: 12_000 })).toMatchObject({
      body: { status: 'PENDING' },
    })
    expect(await refund(payment, providers, { amount: 551 })).toMatchObject({
      status: 409,
      body: { code: 'refund_exceeds_payment', left: 550 },
    })
    expect(await paymentOf(user, payment.id)).toMatchObject({ status: 'SUCCEEDED', amountRefunded: 0 })
    expect(await refund(payment, providers, { amount: 550 })).toMatchObject({ body: { status: 'FAILED' } })
    expect(await refund(payment, providers, { amount: 550 })).toMatchObject({
      status: 201,
      body: { status: 'SUCCEEDED' },
    })
  })

  it('is made once, however its key is repeated while a function that has died may still be asking', async () => {
    const ends = Promise.withResolvers<StartedRefund>()
    const orders: RefundOrder[] = []
    const providers = played({
      startRefund: (order) => {
        orders.push(order)
        return ends.promise
      },
    })
    const payment = await aPaidPayment(providers)
    const key = randomUUID()
    const first = refund(payment, providers, { amount: 1_000 }, key)
    await expect.poll(() => orders.length).toBe(1)
    const stored = await openPayments(testTable()).get(payment.id)
    const [attempt] = Object.values(stored?.attempts ?? {})
    // The key was claimed shortly before the attempt began, so its claim ends before the attempt's time is over.
    const askedBy = Date.parse(attempt?.at ?? '') + 60_000
    const repeatedAt = (time: number) =>
      refund(payment, providers, { amount: 1_000 }, key, { now: () => new Date(time) })
    expect(await repeatedAt(askedBy - 1)).toMatchObject({
      status: 409,
      body: { code: 'idempotency_in_progress' },
    })
    expect(await repeatedAt(askedBy)).toMatchObject({ status: 201, body: { amount: 1_000 } })
    expect(orders).toHaveLength(1)
    ends.resolve({ state: 'succeeded', providerRefundId: 're_one' })
    await first
    expect((await paymentOf(user, payment.id)).refunds).toHaveLength(1)
  })

  it('never gives back more than was paid, however many ask at once', async () => {
    const { providers, orders } = refunder()
    const payment = await aPaidPayment(providers)
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => refund(payment, providers, { amount: 5_000 })),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(2)
    expect(answers.every(({ status }) => [201, 409, 503].includes(status))).toBe(true)
    expect(orders).toHaveLength(2)
    expect((await paymentOf(user, payment.id)).amountRefunded).toBe(10_000)
  })

  it('is written before the provider is called, and the same key carries it on under its id', async () => {
    const { providers, orders } = refunder('unavailable', 'succeeded')
    const payment = await aPaidPayment(providers)
    const key = randomUUID()
    expect(await refund(payment, providers, { amount: 100 }, key)).toMatchObject({
      status: 502,
      body: { code: 'provider_unavailable' },
    })
    expect(await paymentOf(user, payment.id)).toMatchObject({
      amountRefunded: 0,
      refunds: [{ amount: 100, status: 'PENDING' }],
    })
    const second = await refund(payment, providers, { amount: 100 }, key)
    expect(second).toMatchObject({ status: 201, body: { status: 'SUCCEEDED' } })
    const third = await refund(payment, providers, { amount: 100 }, key)
    expect(third).toMatchObject({ body: second.body, headers: { 'idempotent-replayed': 'true' } })
    expect(orders.map(({ id }) => id)).toEqual([second.body.id, second.body.id])
    expect((await paymentOf(user, payment.id)).refunds).toHaveLength(1)
    expect(await refund(payment, providers, { amount: 101 }, key)).toMatchObject({ status: 422 })
  })

  it.each([
    ['before it was answered', 'early'],
    ['after it was answered', 'late'],
  ])('is one with its callback that comes %s', async (_, when) => {
    const base = refunder('pending')
    const payment = await aPaidPayment(base.providers)
    const tell = (refundId: string) => told(base.providers, given(payment, `re_${refundId}`))
    const provider = await base.providers.find('played')
    const providers: Providers = {
      ...base.providers,
      find: async () =>
        provider && {
          ...provider,
          startRefund: async (order: RefundOrder) => {
            if (when === 'early') await tell(order.id)
            return { state: 'pending', providerRefundId: `re_${order.id}` }
          },
        },
    }
    const { body } = await refund(payment, providers, { amount: 500 })
    const { id }: RefundView = body
    if (when === 'late') await tell(id)
    expect(await paymentOf(user, payment.id)).toMatchObject({
      amountRefunded: 500,
      refunds: [{ id, amount: 500, status: 'SUCCEEDED' }],
    })
    expect((await paymentOf(user, payment.id)).refunds).toHaveLength(1)
  })

  it('a refund that failed is not taken for one of the same sum that the provider reports', async () => {
    const providers = played({ startRefund: async () => ({ state: 'failed', providerRefundId: null }) })
    const payment = await aPaidPayment(providers)
    expect(await refund(payment, providers, { amount: 500 })).toMatchObject({ body: { status: 'FAILED' } })
    await told(providers, given(payment, `re_at_the_provider_${payment.id}`))
    expect(await paymentOf(user, payment.id)).toMatchObject({
      status: 'PARTIALLY_REFUNDED',
      amountRefunded: 500,
      refunds: [{ status: 'FAILED' }, { status: 'SUCCEEDED' }],
    })
  })

  it('is asked for though one of the same sum was made at the provider a moment ago', async () => {
    const { providers, orders } = refunder()
    const payment = await aPaidPayment(providers)
    const fourMinutesAgo = new Date(Date.now() - 4 * 60_000)
    await told(providers, given(payment, `re_by_hand_${payment.id}`, fourMinutesAgo))
    expect(await refund(payment, providers, { amount: 500 })).toMatchObject({
      status: 201,
      body: { status: 'SUCCEEDED' },
    })
    expect(orders).toHaveLength(1)
    const { amountRefunded, refunds } = await paymentOf(user, payment.id)
    expect([amountRefunded, refunds.length]).toEqual([1_000, 2])
  })

  it('is not asked for again when its provider carried it out behind a refusal, and shows it', async () => {
    const orders: RefundOrder[] = []
    const startRefund = async (order: RefundOrder) => {
      orders.push(order)
      const cause = Object.assign(new Error('answered 503'), { status: 503 })
      throw new DomainError('provider_unavailable', { cause })
    }
    const base = played({ startRefund })
    const payment = await aPaidPayment(base)
    const key = randomUUID()
    expect(await refund(payment, base, { amount: 500 }, key)).toMatchObject({ status: 502 })
    const made = orders.map(({ id, amount, currency }) => ({
      kind: 'refund' as const,
      at: timestamp(new Date()),
      money: { amount, currency },
      state: 'succeeded' as const,
      providerRefundId: `re_${id}`,
      refundId: id,
      reason: null,
    }))
    const readPayment = async () => ({ references: [payment.id], charges: [], refunds: made, disputes: [] })
    const readable = played({ startRefund, readPayment })
    expect(await refund(payment, readable, { amount: 500 }, key)).toMatchObject({
      status: 201,
      body: { status: 'SUCCEEDED' },
    })
    expect(orders).toHaveLength(1)
    expect(await paymentOf(user, payment.id)).toMatchObject({ amountRefunded: 500 })
  })

  it('is not asked for again after a 503 where the provider lists its refunds late', async () => {
    let [orders, minutes] = [0, 0]
    const start = Date.now()
    const now = () => new Date(start + minutes * 60_000)
    const providers = played({
      listsRefundsLate: true,
      startRefund: async () => {
        orders += 1
        const cause = Object.assign(new Error('answered 503'), { status: 503 })
        throw new DomainError('provider_unavailable', { cause })
      },
      readPayment: async ({ payment }) => ({
        references: [payment?.id ?? ''],
        charges: [],
        refunds: [],
        disputes: [],
      }),
    })
    const payment = await aPaidPayment(providers)
    const key = randomUUID()
    expect(await refund(payment, providers, { amount: 500 }, key, { now })).toMatchObject({ status: 502 })
    minutes = 2
    expect(await refund(payment, providers, { amount: 500 }, key, { now })).toMatchObject({
      status: 201,
      body: { status: 'PENDING', needsResolution: false },
    })
    expect(orders).toBe(1)
  })

  it('is asked for again under its key though one of the same sum was made at the provider since', async () => {
    const { providers, orders } = refunder('unavailable', 'succeeded')
    const payment = await aPaidPayment(providers)
    const key = randomUUID()
    expect(await refund(payment, providers, { amount: 500 }, key)).toMatchObject({ status: 502 })
    await told(providers, given(payment, `re_by_hand_${payment.id}`))
    expect(await refund(payment, providers, { amount: 500 }, key)).toMatchObject({ status: 201 })
    expect(orders).toHaveLength(2)
    expect((await paymentOf(user, payment.id)).amountRefunded).toBe(1_000)
  })

  it.each([
    ['one that failed before', ['failed', 'answered']],
    ['one whose answer is still awaited', ['unavailable', 'answered']],
  ])('is not mistaken for %s when its callback overtakes its answer', async (_, outcomes) => {
    const ids: string[] = []
    const providers: Providers = played({
      startRefund: async ({ id, payment }) => {
        ids.push(id)
        const outcome = outcomes[ids.length - 1]
        if (outcome === 'failed') return { state: 'failed', providerRefundId: null }
        if (outcome === 'unavailable') throw new DomainError('provider_unavailable')
        await told(providers, given(payment, `re_${id}`))
        return { state: 'succeeded', providerRefundId: `re_${id}` }
      },
    })
    const payment = await aPaidPayment(providers)
    await refund(payment, providers, { amount: 500 })
    expect(await refund(payment, providers, { amount: 500 })).toMatchObject({
      status: 201,
      body: { id: expect.toBeOneOf(ids.slice(1)), status: 'SUCCEEDED' },
    })
    expect(await paymentOf(user, payment.id)).toMatchObject({
      amountRefunded: 500,
      refunds: [
        { id: ids[0], status: outcomes[0] === 'failed' ? 'FAILED' : 'PENDING' },
        { id: ids[1], status: 'SUCCEEDED' },
      ],
    })
  })

  it('a refund of a part that its provider cannot count is refused before it begins', async () => {
    const refuses = ({ amount }: { amount: number }) =>
      amount % 100 === 0 ? undefined : 'must be a whole number of units'
    const { providers, orders } = refunder()
    const payment = await aPaidPayment(providers)
    const provider = await providers.find('played')
    const counting: Providers = {
      ...providers,
      find: async () => provider && { ...provider, refuses },
    }
    expect(await refund(payment, counting, { amount: 550 })).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', errors: [{ path: 'amount' }] },
    })
    expect(await refund(payment, counting, { amount: 500 })).toMatchObject({ status: 201 })
    expect(orders).toHaveLength(1)
    expect((await paymentOf(user, payment.id)).refunds).toHaveLength(1)
  })

  it('is kept with a reason of a thousand characters, whatever they are', async () => {
    const { providers } = refunder()
    const payment = await aPaidPayment(providers)
    const reason = '🏚'.repeat(1_000)
    expect(await refund(payment, providers, { amount: 1, reason })).toMatchObject({ status: 201 })
    expect((await paymentOf(user, payment.id)).refunds).toMatchObject([{ reason }])
  })

  it('needs a payment that is paid, at a provider that refunds', async () => {
    const { providers } = refunder()
    const open = await aPayment(user, { provider: 'played' }, providers)
    const refused = { status: 409, body: { code: 'payment_not_refundable' } }
    expect(await refund(open, providers)).toMatchObject(refused)
    const gateway = await aPayment(user)
    await paid(gateway)
    expect(await refund(gateway, testProviders())).toMatchObject(refused)
    expect(await refund({ id: newId('payment') }, providers)).toMatchObject({ status: 404 })
  })

  it('is for administrators, and for amounts there are', async () => {
    const { providers } = refunder()
    const payment = await aPaidPayment(providers)
    const request = { params: { id: payment.id }, deps: { providers } }
    expect(await call(refundPayment, { ...request, token: user.token, body: {} })).toMatchObject({
      status: 403,
    })
    expect(await call(refundPayment, { ...request, body: {} })).toMatchObject({ status: 401 })
    for (const amount of [0, -1, 1.5, '5']) {
      expect(await refund(payment, providers, { amount })).toMatchObject({ status: 400 })
    }
    expect(await refund(payment, providers, { amount: 12_551 })).toMatchObject({ status: 409 })
  })
})
