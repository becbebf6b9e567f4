import { beforeAll, describe, expect, it } from 'vitest'
import { spec as createPayment } from '#functions/payments/create-payment'
import { spec as listCallbacks } from '#functions/payments/list-callbacks'
import { spec as callbackSpec } from '#functions/payments/payment-callback'
import { spec as replayCallback } from '#functions/payments/replay-callback'
import { type Counters, slotOf } from '#lib/accounts/throttle/counters'
import { timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import { PaymentId } from '#lib/kernel/id'
import type { CallbackView } from '#lib/payments/callbacks/callback-view'
import { openPayments } from '#lib/payments/payment-store.dynamo'
import type { PaymentView } from '#lib/payments/payment-view'
import type { Evidence, PaymentQuestion, ProviderEvent } from '#lib/providers/provider'
import type { Providers } from '#lib/providers/registry'
import { call } from '#test/support/call'
import { deliver } from '#test/support/callbacks'
import { aCustomer } from '#test/support/enquiries'
import { aUser, consoleToken, type GivenUser } from '#test/support/given'
import { aPaymentRequest, payRequest, requestOf } from '#test/support/payment-requests'
import {
  aPayment,
  fromPlayed,
  paymentOf,
  played,
  reads,
  success,
  UNCOUNTED,
  unknownPayment,
} from '#test/support/payments'
import { testTable } from '#test/support/test-table'

let user: GivenUser
let token: string
beforeAll(async () => {
  user = await aUser()
  token = await consoleToken()
})

/** A provider whose callbacks are believed so far, tell `event`, and whose API answers `answers`, one by one. */
function doubted(trust: Evidence, event: ProviderEvent, ...answers: (ProviderEvent[] | 'unavailable')[]) {
  const questions: PaymentQuestion[] = []
  const counted: string[] = []
  const providers = played({
    verify: () => trust,
    interpret: () => [event],
    readPayment: reads(async (question) => {
      questions.push(question)
      const answer = answers[Math.min(questions.length, answers.length) - 1] ?? []
      if (answer === 'unavailable') throw new DomainError('provider_unavailable')
      return answer
    }),
  })
  const count = (what: string) => void counted.push(what)
  return {
    questions,
    counted,
    providers,
    call: (deps = {}) => deliver(fromPlayed(), { providers, count, ...deps }),
  }
}

const store = () => openPayments(testTable())
const aPlayedPayment = (providers: Providers = played()): Promise<PaymentView> =>
  aPayment(user, { provider: 'played' }, providers)
const statusOf = async ({ id }: PaymentView) => (await paymentOf(user, id)).status
const callbacks = async (query: Record<string, string> = {}): Promise<CallbackView[]> =>
  (await call(listCallbacks, { token, query: { limit: '100', ...query } })).body.items

/** What the API answers about so many refunds of one minor unit each. */
const refundsOf = (payment: PaymentView, count: number) =>
  Array.from({ length: count }, (_, place) =>
    success(payment, {
      statement: {
        kind: 'refund',
        at: timestamp(new Date()),
        money: { amount: 1, currency: payment.currency },
        state: 'succeeded',
        providerRefundId: `re_${place}`,
        refundId: null,
        reason: null,
      },
    }),
  )

describe.each([['sender'], ['unsigned']] as const)('a callback whose contents %s signed', (trust) => {
  it('a callback about more refunds than one transaction holds stores them all', async () => {
    const payment = await aPlayedPayment()
    const refunds = refundsOf(payment, 50)
    const provider = doubted(trust, success(payment), [success(payment), ...refunds])
    expect(await provider.call()).toMatchObject({ status: 200 })
    const stored = await store().get(PaymentId.parse(payment.id))
    expect(stored).toMatchObject({ status: 'PARTIALLY_REFUNDED', amountRefunded: 50 })
  })

  it('a requested deposit with many refunds in its first reading is stored with its request and its agent’s account', async () => {
    const { customer, request } = await aPaymentRequest()
    const deps = { providers: played(), commissionRates: { deposit: 500 } }
    const { body: payment } = await payRequest(customer, request.id, { provider: 'played' }, deps)
    const refunds = refundsOf(payment, 25)
    const provider = doubted(trust, success(payment), [success(payment), ...refunds])
    expect(await provider.call()).toMatchObject({ status: 200 })
    expect(await paymentOf(customer, payment.id)).toMatchObject({
      status: 'PARTIALLY_REFUNDED',
      amountRefunded: 25,
    })
    expect(await requestOf(customer, request.id)).toMatchObject({ status: 'PAID', paymentId: payment.id })
  })

  it('moves the payment only as the API says', async () => {
    const payment = await aPlayedPayment()
    const provider = doubted(trust, success(payment), [success(payment)])
    expect(await provider.call()).toMatchObject({ status: 200 })
    expect(await statusOf(payment)).toBe('SUCCEEDED')
    expect(provider.questions).toMatchObject([
      {
        references: [payment.id, `at_${payment.id}`],
        payment: { id: payment.id, amount: 12_550, currency: 'EUR' },
      },
    ])
  })

  it('moves nothing when the API knows better', async () => {
    const payment = await aPlayedPayment()
    const open = success(payment, { statement: null })
    expect(await doubted(trust, success(payment), [open]).call()).toMatchObject({ status: 200 })
    expect(await doubted(trust, success(payment), []).call()).toMatchObject({ status: 200 })
    expect(await statusOf(payment)).toBe('PENDING')
    // Once the API says so too, the very same callback counts.
    await doubted(trust, success(payment), [success(payment)]).call()
    expect(await statusOf(payment)).toBe('SUCCEEDED')
  })

  it('does not lend its amount to the payment', async () => {
    const payment = await aPlayedPayment()
    const less = success({ ...payment, amount: 1 })
    await doubted(trust, success(payment), [less]).call()
    expect(await statusOf(payment)).toBe('PENDING')
    expect((await callbacks()).filter(({ paymentId }) => paymentId === payment.id)).toMatchObject([
      {
        status: 'MISMATCHED',
        detail: '1 minor units of EUR were paid, 12550 minor units of EUR were asked for',
      },
    ])
  })

  it('is answered 503 while the API is silent, and counts when it comes again', async () => {
    const payment = await aPlayedPayment()
    const provider = doubted(trust, success(payment), 'unavailable', [success(payment)])
    expect(await provider.call()).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    expect(await provider.call()).toMatchObject({ status: 200 })
    expect(await statusOf(payment)).toBe('SUCCEEDED')
  })

  it('may only point at a payment: what the API says of it is kept in its place', async () => {
    const payment = await aPlayedPayment()
    const pointer = { eventId: 'tr_1', type: 'changed', references: [`tr_${payment.id}`], statement: null }
    const answer = success(payment, { references: [payment.id, `tr_${payment.id}`] })
    const refundThat = (state: 'pending' | 'succeeded'): ProviderEvent => ({
      ...answer,
      statement: {
        kind: 'refund',
        at: timestamp(new Date('2026-11-20T11:00:00.000Z')),
        money: { amount: 50, currency: 'EUR' },
        state,
        providerRefundId: 're_1',
        refundId: null,
        reason: null,
      },
    })
    const answers = [[answer], [answer, refundThat('pending')], [answer, refundThat('succeeded')]]
    const provider = doubted(trust, pointer, ...answers)
    for (const status of ['SUCCEEDED', 'SUCCEEDED', 'PARTIALLY_REFUNDED']) {
      await provider.call()
      expect(await statusOf(payment)).toBe(status)
    }
    const kept = (await callbacks({ provider: 'played' })).filter(({ paymentId }) => paymentId === payment.id)
    expect(kept.map(({ status }) => status)).toEqual(['PROCESSED', 'PROCESSED', 'PROCESSED'])
    // A fourth copy finds nothing new.
    await provider.call()
    expect(
      (await callbacks({ provider: 'played' })).filter(({ paymentId }) => paymentId === payment.id),
    ).toEqual(kept)
  })
})

describe('a claim that money went back or is disputed', () => {
  it.each([
    [
      'refund',
      {
        kind: 'refund',
        money: { amount: 500, currency: 'EUR' },
        state: 'succeeded',
        providerRefundId: 're_claimed',
        refundId: null,
        reason: null,
      },
    ],
    ['dispute', { kind: 'dispute', disputeId: 'dp_claimed', state: 'open' }],
  ] as const)('waits while the API speaks of the payment only: %s', async (kind, said) => {
    const payment = await aPlayedPayment()
    const statement = { at: timestamp(new Date('2026-11-20T11:00:00.000Z')), ...said }
    const claim = success(payment, { eventId: `${kind}_${payment.id}`, statement })
    const paid = [success(payment)]
    const provider = doubted('sender', claim, paid, [...paid, claim])
    expect(await provider.call()).toMatchObject({ status: 200 })
    expect(await callbacks({ status: 'UNMATCHED' })).toContainEqual(
      expect.objectContaining({ eventId: claim.eventId, detail: expect.stringContaining('not confirmed') }),
    )
    expect(await provider.call()).toMatchObject({ status: 200 })
    expect(await statusOf(payment)).toBe(kind === 'refund' ? 'PARTIALLY_REFUNDED' : 'DISPUTED')
  })
})

it.each(['sender', 'unsigned'] as const)(
  'a callback that cannot be confirmed now has its payment read by the next reconciliation: %s',
  async (trust) => {
    const payment = await aPlayedPayment()
    const provider = doubted(trust, success(payment), 'unavailable')
    expect((await provider.call()).status).toBe(503)
    const kept = await store().get(PaymentId.parse(payment.id))
    expect(kept?.dueAt?.localeCompare(timestamp(new Date()))).toBeLessThanOrEqual(0)
  },
)

it('a claim of one refund is not settled by another of the same payment', async () => {
  const payment = await aPlayedPayment()
  const refunded = (providerRefundId: string, state: 'pending' | 'succeeded'): ProviderEvent => ({
    ...success(payment),
    eventId: `${providerRefundId}_${state}_${payment.id}`,
    statement: {
      kind: 'refund',
      at: timestamp(new Date('2026-11-20T11:00:00.000Z')),
      money: { amount: 500, currency: 'EUR' },
      state,
      providerRefundId,
      refundId: null,
      reason: null,
    },
  })
  const claim = refunded('re_2', 'succeeded')
  const behind = [success(payment), refunded('re_1', 'succeeded')]
  const provider = doubted('sender', claim, behind, [success(payment), claim])
  await provider.call()
  const waiting = (await callbacks({ status: 'UNMATCHED' })).map(({ eventId }) => eventId)
  expect(waiting).toContain(claim.eventId)
  await provider.call()
  expect(await paymentOf(user, payment.id)).toMatchObject({ amountRefunded: 1_000 })
})

describe('a callback that nobody signed', () => {
  it('is kept nowhere, but counted, when the API does not confirm it', async () => {
    const before = await callbacks({ provider: 'played' })
    const provider = doubted('unsigned', success(unknownPayment()), [])
    expect(await provider.call()).toMatchObject({ status: 200 })
    expect(provider.counted).toEqual(['UnconfirmedCallback'])
    expect(await callbacks({ provider: 'played' })).toEqual(before)
  })

  it('is kept when the API confirms it of a payment that we do not know', async () => {
    const unknown = unknownPayment()
    await doubted('unsigned', success(unknown), [success(unknown)]).call()
    expect(await callbacks({ status: 'UNMATCHED' })).toContainEqual(
      expect.objectContaining({
        eventId: expect.stringContaining(`paid_${unknown.id}`),
        status: 'UNMATCHED',
      }),
    )
  })
})

describe('a callback of a known sender', () => {
  it('is kept unasked when its payment is unknown, and read when that appears', async () => {
    let own: ReturnType<typeof doubted> | undefined
    const providers = played({
      start: async (order) => {
        own = doubted('sender', success(order, { references: [`ref_${order.id}`] }), [success(order)])
        await own.call()
        expect(own.questions).toEqual([])
        return { url: null, expiresAt: null, references: [`ref_${order.id}`] }
      },
      readPayment: async (question) => (await own?.providers.find('played'))?.readPayment?.(question) ?? null,
    })
    const payment = await aPlayedPayment(providers)
    expect(await statusOf(payment)).toBe('SUCCEEDED')
  })
})

describe('the methods of a callback', () => {
  const at = (method: string, callbackMethods: ('POST' | 'PUT' | 'GET')[]) =>
    call(callbackSpec, {
      method,
      params: { provider: 'played' },
      rawBody: '',
      deps: { providers: played({ callbackMethods, verify: () => 'forged' }) },
    })

  it('are those of its provider; a GET is acknowledged without a look', async () => {
    expect(await at('GET', ['POST', 'GET'])).toMatchObject({ status: 200, text: 'OK' })
    expect(await at('PUT', ['POST', 'PUT'])).toMatchObject({ status: 401 })
    expect(await at('PUT', ['POST', 'GET'])).toMatchObject({ status: 405, headers: { allow: 'POST, GET' } })
    expect(await at('PATCH', ['POST'])).toMatchObject({ status: 405 })
  })
})

describe('a provider that asks on the phone', () => {
  const phones: (string | null)[] = []
  const providers = played({
    asksOnPhone: true,
    start: async ({ phone }) => {
      phones.push(phone)
      return { url: null, expiresAt: null, references: [] }
    },
  })
  const post = (token: string, more: object = {}) =>
    call(createPayment, {
      token,
      body: { provider: 'played', amount: 500, currency: 'KES', purpose: 'rent', ...more },
      deps: { providers },
    })

  it("takes the request's, else the profile's, and refuses to guess", async () => {
    const caller = await aCustomer({ phone: '+254700000001' })
    expect(await post(caller.token)).toMatchObject({ status: 201, body: { checkout: { url: null } } })
    expect(await post(caller.token, { phone: '+254700000002' })).toMatchObject({ status: 201 })
    expect(phones).toEqual(['+254700000001', '+254700000002'])
    expect(await post((await aCustomer()).token)).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'phone' }] },
    })
    expect(await post(user.token)).toMatchObject({ status: 403, body: { code: 'email_not_verified' } })
  })

  it('a telephone number is no prompt where the provider asks on a page', async () => {
    const { token } = await aCustomer()
    const prompts: string[] = []
    const phonePromptCounters: Counters = {
      ...UNCOUNTED,
      add: async ({ subject }) => {
        prompts.push(subject)
        return { counted: [], pending: 0 }
      },
    }
    const body = { provider: 'played', amount: 500, currency: 'KES', purpose: 'rent', phone: '+254700000004' }
    const { status } = await call(createPayment, {
      token,
      body,
      deps: { providers: played(), phonePromptCounters },
    })
    expect([status, prompts]).toEqual([201, []])
  })

  it('is to be asked again when the oldest of three prompts of an hour counts no more', async () => {
    const { token } = await aCustomer({ phone: '+254700000005' })
    const phonePromptCounters: Counters = {
      ...UNCOUNTED,
      add: async (of, at) => {
        const counted = [30, 20, 10, 0].map((minutes) => ({ slot: slotOf(of, at) - minutes, count: 1 }))
        return { counted, pending: 0 }
      },
    }
    const answer = await call(createPayment, {
      token,
      body: { provider: 'played', amount: 500, currency: 'KES', purpose: 'rent' },
      deps: { providers, phonePromptCounters },
    })
    expect(answer.status).toBe(429)
    const minutes = Math.ceil(Number(answer.headers['retry-after']) / 60)
    expect(minutes).toBe(30)
  })

  it('counts no prompt for a payment beyond the twenty that are open', async () => {
    const { token } = await aCustomer({ phone: '+254700000003' })
    const byPage = () =>
      call(createPayment, {
        token,
        body: { provider: 'played', amount: 500, currency: 'KES', purpose: 'rent' },
        deps: { providers: played({}) },
      })
    const opened = await Promise.all(Array.from({ length: 20 }, byPage))
    expect(opened.map(({ status }) => status)).toEqual(Array(20).fill(201))
    const answers = [await post(token), await post(token), await post(token), await post(token)]
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 409, body: { code: 'open_payment_limit_reached' } })
    }
  })
})

describe('a provider account that is asked too often', () => {
  it('is asked 20 times a minute for callbacks of nobody; the next reconciliation asks for the others', async () => {
    const payment = await aPlayedPayment()
    const provider = doubted('unsigned', success(payment), [])
    const moment = new Date(Date.now() + 5 * 60_000)
    const now = () => moment
    const answers = await Promise.all(Array.from({ length: 30 }, () => provider.call({ now })))
    expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(200))
    expect(provider.questions).toHaveLength(20)
    expect(await store().get(PaymentId.parse(payment.id))).toMatchObject({ dueAt: moment.toISOString() })
  })

  it('verifies 20 callbacks a minute itself; the others come again', async () => {
    let verified = 0
    const providers = played({
      verify: async (_, countQuestion) => {
        await countQuestion?.()
        verified += 1
        return 'forged' as const
      },
    })
    const moment = new Date(Date.now() + 7 * 60_000)
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => deliver(fromPlayed(), { providers, now: () => moment })),
    )
    expect(verified).toBe(20)
    const statuses = answers.map(({ status }) => status).toSorted()
    expect(statuses).toEqual([...Array(20).fill(401), ...Array(10).fill(503)])
  })

  it('is left alone once it failed five times, by all but an administrator', async () => {
    const payment = await aPlayedPayment()
    const waiting = doubted('sender', success(payment), [])
    await waiting.call()
    const [callback] = await callbacks({ status: 'UNMATCHED' })
    const failing = doubted('sender', success(payment, { eventId: 'failing' }), 'unavailable')
    for (let call = 0; call < 7; call += 1) expect((await failing.call()).status).toBe(503)
    expect(failing.questions).toHaveLength(5)
    expect(Number((await failing.call()).headers['retry-after'])).toBeGreaterThan(20)
    const stranger = doubted('unsigned', success(payment, { eventId: 'stranger' }), [success(payment)])
    expect((await stranger.call()).status).toBe(200)
    expect(stranger.questions).toHaveLength(0)
    const { providers } = doubted('sender', success(payment), [success(payment)])
    const replayed = await call(replayCallback, {
      token,
      params: { id: callback?.id ?? '' },
      body: {},
      deps: { providers },
    })
    expect(replayed.body).toMatchObject({ callback: { status: 'PROCESSED' } })
    expect(await statusOf(payment)).toBe('SUCCEEDED')
  })
})
