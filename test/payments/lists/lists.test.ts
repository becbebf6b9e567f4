import { beforeAll, describe, expect, it } from 'vitest'
import { spec as getPaymentInFull } from '#functions/payments/get-payment-in-full'
import { spec as listAllPayments } from '#functions/payments/list-all-payments'
import { spec as listPayments } from '#functions/payments/list-payments'
import { spec as listCurrencies } from '#functions/providers/list-currencies'
import { spec as listPaymentProviders } from '#functions/providers/list-payment-providers'
import { newId } from '#lib/kernel/id'
import { AMOUNT_LIMIT } from '#lib/kernel/money'
import type { PaymentView } from '#lib/payments/payment-view'
import { call } from '#test/support/call'
import { aUser, consoleToken, type GivenUser } from '#test/support/given'
import { aPayment, paid, played } from '#test/support/payments'
import { testProviders } from '#test/support/providers'

type Page = { items: (PaymentView & { userId?: string })[]; nextCursor: string | null }

let user: GivenUser
let token: string
let payments: PaymentView[]
beforeAll(async () => {
  user = await aUser()
  token = await consoleToken()
  payments = []
  for (let made = 0; made < 5; made += 1) payments.push(await aPayment(user))
  for (const payment of payments.slice(0, 2)) await paid(payment)
  await aPayment(user, { provider: 'played' }, played())
})

const own = async (query: Record<string, string> = {}): Promise<Page> =>
  (await call(listPayments, { token: user.token, query })).body
const all = async (query: Record<string, string> = {}): Promise<Page> =>
  (await call(listAllPayments, { token, query })).body

/** Every page of a list, one after the other. */
async function everyPage(list: typeof own, query: Record<string, string>): Promise<Page['items']> {
  const items: Page['items'] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page: Page = await list({ ...query, limit: '2', ...(cursor && { cursor }) })
    expect(page.items.length).toBeLessThanOrEqual(2)
    items.push(...page.items)
    cursor = page.nextCursor
  }
  return items
}

describe('GET /payments', () => {
  it("lists the caller's own, newest first, page by page", async () => {
    const items = await everyPage(own, {})
    expect(items).toHaveLength(6)
    const ids = items.map(({ id }) => id)
    expect(ids.map((id) => id.slice(0, 14))).toEqual(
      ids
        .map((id) => id.slice(0, 14))
        .toSorted()
        .reverse(),
    )
    expect((await call(listPayments, { token: (await aUser()).token })).body).toEqual({
      items: [],
      nextCursor: null,
    })
  })

  it('lists those of a status', async () => {
    const items = await everyPage(own, { status: 'SUCCEEDED' })
    expect(new Set(items.map(({ id }) => id))).toEqual(new Set(payments.slice(0, 2).map(({ id }) => id)))
  })

  it('takes no cursor of other filters, and no status there is not', async () => {
    const { nextCursor } = await own({ limit: '2' })
    const cursor = nextCursor ?? ''
    const wrong = await call(listPayments, { token: user.token, query: { cursor, status: 'PENDING' } })
    expect(wrong).toMatchObject({ status: 400, body: { code: 'invalid_cursor' } })
    expect(await call(listPayments, { token: user.token, query: { status: 'PAID' } })).toMatchObject({
      status: 400,
    })
    expect(await call(listPayments)).toMatchObject({ status: 401 })
  })
})

describe('GET /admin/payments', () => {
  it('names the payer of each payment', async () => {
    const { items } = await all({ userId: user.id, limit: '2' })
    const payer = { id: user.id, email: user.email }
    expect(items).toMatchObject([{ user: payer }, { user: payer }])
  })

  it.each([
    [{}, 6],
    [{ provider: 'played' }, 1],
    [{ status: 'SUCCEEDED' }, 2],
    [{ status: 'PENDING', provider: 'standard-webhooks' }, 3],
    [{ status: 'REFUNDED' }, 0],
  ])("lists everyone's by %j", async (filters, count) => {
    const items = await everyPage(all, filters)
    expect(items.filter(({ userId }) => userId === user.id)).toHaveLength(count)
    expect(new Set(items.map(({ id }) => id)).size).toBe(items.length)
  })

  it('lists those of a user', async () => {
    expect(await everyPage(all, { userId: user.id, status: 'SUCCEEDED' })).toHaveLength(2)
  })

  it('is for administrators', async () => {
    expect(await call(listAllPayments, { token: user.token })).toMatchObject({ status: 403 })
  })
})

describe('GET /admin/payments/{id}', () => {
  it('shows a payment with its callbacks and its ledger', async () => {
    const [payment] = payments
    const { body } = await call(getPaymentInFull, { token, params: { id: payment?.id ?? '' } })
    expect(body).toMatchObject({
      id: payment?.id,
      userId: user.id,
      status: 'SUCCEEDED',
      callbacks: [{ type: 'payment.succeeded', status: 'PROCESSED', paymentId: payment?.id }],
      ledger: [
        { account: 'platform', amount: -12_550, currency: 'EUR', reason: 'payment.succeeded' },
        { account: 'provider:standard-webhooks', amount: 12_550, currency: 'EUR' },
      ],
    })
  })

  it('answers 404 for one that is not there', async () => {
    expect(await call(getPaymentInFull, { token, params: { id: newId('payment') } })).toMatchObject({
      status: 404,
    })
  })
})

describe('GET /payment-providers', () => {
  it('names those that are switched on, to anyone', async () => {
    const settings = { paystack: { apiKey: 'sk_test' } }
    const answer = await call(listPaymentProviders, { deps: { providers: testProviders(settings) } })
    expect(answer.body).toEqual({
      items: [
        {
          name: 'paystack',
          currencies: ['EGP', 'GHS', 'KES', 'NGN', 'RWF', 'USD', 'XOF', 'ZAR'],
          countries: expect.arrayContaining(['NG', 'CI']),
          limits: expect.objectContaining({ NGN: { min: 5_000, max: AMOUNT_LIMIT } }),
          asksOnPhone: false,
        },
      ],
      nextCursor: null,
    })
    expect(answer.text).not.toContain('sk_test')
  })

  it('names those that take an amount: within their limits, or any where they have none', async () => {
    const settings = { paystack: { apiKey: 'sk_test' } }
    const deps = { providers: testProviders(settings) }
    const unlimited = { providers: played() }
    const taking = async (amount: number, of: object) => {
      const query = { currency: 'NGN', amount: `${amount}` }
      return (await call(listPaymentProviders, { query, deps: { ...of } })).body.items.length
    }
    expect([await taking(4_999, deps), await taking(5_000, deps)]).toEqual([0, 1])
    expect([await taking(1, unlimited), await taking(AMOUNT_LIMIT, unlimited)]).toEqual([1, 1])
  })
})

describe('GET /currencies', () => {
  it('names every currency with the decimals of its own unit, to anyone, for caches to keep', async () => {
    const { status, headers, body } = await call(listCurrencies)
    expect({ status, caching: headers['cache-control'] }).toEqual({
      status: 200,
      caching: 'public, max-age=30',
    })
    const { items } = body
    const exponents = new Map<string, number>(items.map(({ code, exponent }) => [code, exponent]))
    expect(['XOF', 'JPY', 'USD', 'KWD', 'CLF'].map((code) => exponents.get(code))).toEqual([0, 0, 2, 3, 4])
    expect(exponents.size).toBe(items.length)
  })
})
