import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { spec as followAccounts } from '#functions/jobs/follow-accounts'
import { spec as createListing } from '#functions/listings/create-listing'
import { spec as createPayment } from '#functions/payments/create-payment'
import { spec as getPayment } from '#functions/payments/get-payment'
import { spec as deleteAccount } from '#functions/privacy/delete-account'
import { openQuotas } from '#lib/dynamo/quotas'
import { TABLE_WRITES } from '#lib/dynamo/table'
import { type ListingId, newId, UserId } from '#lib/kernel/id'
import { listingKey } from '#lib/listings/listing.keys'
import { BEGUN_DAILY } from '#lib/payments/checkout/create-payment'
import { openPayments } from '#lib/payments/payment-store.dynamo'
import type { PaymentView } from '#lib/payments/payment-view'
import { deletionKey } from '#lib/privacy/privacy.keys'
import type { ProviderHttp, ProviderRequest } from '#lib/providers/provider'
import { type Answer, call, problemOf } from '#test/support/call'
import { deliver, fromGateway } from '#test/support/callbacks'
import { anAgent, aUser, aVerifiedAgent, type GivenUser, PASSWORD, verified } from '#test/support/given'
import { overtaken } from '#test/support/overtaken'
import { SETTINGS, testProviders } from '#test/support/providers'
import { aPublishedListing } from '#test/support/published'
import { streamTo } from '#test/support/stream'
import { testTable } from '#test/support/test-table'

const draft = { provider: 'standard-webhooks', amount: 12_550, currency: 'EUR', purpose: 'deposit' }

let user: GivenUser
beforeAll(async () => {
  user = await aUser()
})

const post = (
  body: unknown,
  { key, http, token = user.token }: { key?: string; http?: ProviderHttp; token?: string } = {},
) =>
  call(createPayment, {
    token,
    body,
    ...(key && { headers: { 'idempotency-key': key } }),
    deps: { providers: testProviders(SETTINGS, http ? { http } : {}) },
  })
const get = async (id: string): Promise<PaymentView> =>
  (await call(getPayment, { token: user.token, params: { id } })).body

/** A provider that keeps what it was asked and answers what a test tells it to. */
const stand = (...answers: (object | number)[]) => {
  const asked: ProviderRequest[] = []
  const http: ProviderHttp = async (request) => {
    asked.push(request)
    const answer = answers[Math.min(asked.length, answers.length) - 1] ?? {}
    return typeof answer === 'number'
      ? { status: answer, body: '{"error":"no"}' }
      : { status: 200, body: JSON.stringify(answer) }
  }
  return { asked, http }
}

/** A problem document without what differs from request to request. */
const problem = (answer: Answer): object => ({ ...problemOf(answer), requestId: '' })

describe('POST /payments', () => {
  it('answers 201 with the payment and the page to pay on', async () => {
    const { status, body } = await post({ ...draft, metadata: { invoice: 'INV-1' }, colour: 'blue' })
    const payment: PaymentView = body
    expect(status).toBe(201)
    expect(payment).toEqual({
      id: expect.stringMatching(/^pay_/),
      status: 'PENDING',
      provider: 'standard-webhooks',
      providerReference: null,
      amount: 12_550,
      currency: 'EUR',
      amountRefunded: 0,
      amountPaid: 0,
      amountDisputed: 0,
      purpose: 'deposit',
      listingId: null,
      listing: null,
      paymentRequestId: null,
      receiptNumber: null,
      checkout: {
        url: `https://pay.example/${payment.id}?amount=12550&currency=EUR`,
        expiresAt: new Date(Date.parse(payment.createdAt) + 86_400_000).toISOString(),
      },
      failure: null,
      metadata: { invoice: 'INV-1' },
      refunds: [],
      events: [{ type: 'payment.created', status: 'PENDING', at: payment.createdAt }],
      createdAt: payment.createdAt,
      updatedAt: payment.updatedAt,
    })
    expect(await get(payment.id)).toEqual(payment)
  })

  it('returns to a page of an allowed origin with its id added', async () => {
    const { http, asked } = stand({
      id: 'cs_returning',
      url: 'https://checkout.stripe.com/x',
      expires_at: 4_000_000_000,
    })
    const returnUrl = 'https://www.platform.test/thanks?a=1'
    const { status, body } = await post({ ...draft, provider: 'stripe', returnUrl }, { http })
    expect(status).toBe(201)
    const sent = new URLSearchParams(asked[0]?.body).get('success_url')
    expect(sent).toBe(`${returnUrl}&payment=${body.id}`)
  })

  it('is refused to a person who began sixty on one day', async () => {
    const { id, token } = await aUser()
    await testTable().commit([openQuotas(testTable()).count(BEGUN_DAILY, id, new Date(), 59)])
    const answers = await Promise.all([post(draft, { token }), post(draft, { token })])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 429])
    const [refused] = answers.filter(({ status }) => status === 429)
    expect(refused?.headers).toMatchObject({ 'ratelimit-policy': '"payments";q=60;w=86400' })
  })

  it('keeps metadata whatever its keys are called', async () => {
    const metadata = { constructor: 'Ateliers du Port', toString: 'no', 'a.b': 'c', length: '3' }
    const { status, body } = await post({ ...draft, metadata })
    expect({ status, metadata: body.metadata }).toEqual({ status: 201, metadata })
    expect((await get(body.id)).metadata).toEqual(metadata)
  })

  it.each([
    ['an unknown provider', { provider: 'bank-of-mars' }, 'provider'],
    ['the name of something every object has', { provider: 'constructor' }, 'provider'],
    ['a currency the provider does not take', { provider: 'paystack', currency: 'EUR' }, 'currency'],
    ['an unknown currency', { currency: 'EURO' }, 'currency'],
    ['a fraction', { amount: 12.5 }, 'amount'],
    ['nothing to pay', { amount: 0 }, 'amount'],
    ['more than anyone has', { amount: 10 ** 15 + 1 }, 'amount'],
    [
      'an amount the provider cannot count',
      { provider: 'stripe', currency: 'KWD', amount: 12_345 },
      'amount',
    ],
    ['another purpose', { purpose: 'gift' }, 'purpose'],
    ['a listing that is not there', { listingId: newId('listing') }, 'listingId'],
    ['something that is no listing id', { listingId: 'lst_1' }, 'listingId'],
    ['a telephone number of no country', { phone: '0700000000' }, 'phone'],
    ['a return address that is a program', { returnUrl: 'javascript:alert(1)' }, 'returnUrl'],
    ['a return address with a blank', { returnUrl: 'https://www.platform.test/a b' }, 'returnUrl'],
    ['a return address with a user name', { returnUrl: 'https://awa@www.platform.test/' }, 'returnUrl'],
    ['a return address with port 0', { returnUrl: 'https://www.platform.test:0/' }, 'returnUrl'],
    ['a return address of a stranger', { returnUrl: 'https://www.platform.test.evil.example/' }, 'returnUrl'],
    [
      'a return address that only begins so',
      { returnUrl: 'https://www.platform.test@evil.example/' },
      'returnUrl',
    ],
    ['a value of metadata that is no text', { metadata: { n: 1 } }, 'metadata.n'],
    ['too long a value of metadata', { metadata: { n: 'x'.repeat(501) } }, 'metadata.n'],
    [
      'too many keys of metadata',
      { metadata: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`k${n}`, ''])) },
      'metadata',
    ],
  ])('refuses %s', async (_, wrong, path) => {
    const { status, body } = await post({ ...draft, ...wrong })
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', errors: [{ path }] },
    })
  })

  it('is for users only', async () => {
    const deps = { providers: testProviders() }
    expect(await call(createPayment, { body: draft, deps })).toMatchObject({ status: 401 })
  })

  it('is for a published listing of a verified agent, where it is for one, and not for the payer’s own', async () => {
    const agent = await anAgent()
    const drafted = await call(createListing, {
      token: agent.token,
      body: { offer: 'rent', category: 'house' },
    })
    const { id }: { id: ListingId } = drafted.body
    const about = { ...draft, listingId: id }
    expect(await post(about)).toMatchObject({ status: 400 })
    const table = testTable()
    await table.commit([
      TABLE_WRITES.update(listingKey(id), {
        set: { status: 'PUBLISHED', publishedAt: new Date().toISOString() },
      }),
    ])
    expect(await post(about)).toMatchObject({ status: 409, body: { code: 'listing_not_available' } })
    await verified(agent.id)
    expect(await post(about)).toMatchObject({ status: 201, body: { listingId: id } })
    const own = await post(about, { token: agent.token })
    expect(own).toMatchObject({ status: 409, body: { code: 'own_listing' } })
  })

  it('is refused where the listing’s agent is erased while it is begun: nothing would cancel it', async () => {
    const agent = await aVerifiedAgent()
    const listing = await aPublishedListing(agent.id)
    const erased = async () => {
      const { status } = await call(deleteAccount, { token: agent.token, body: { password: PASSWORD } })
      expect(status).toBe(204)
      await streamTo(followAccounts, deletionKey(UserId.parse(agent.id)))
    }
    const payments = openPayments(testTable())
    const deps = { providers: testProviders(SETTINGS), payments: overtaken(payments, 'commit', erased) }
    const body = { ...draft, currency: 'XOF', listingId: listing }
    const answer = await call(createPayment, { token: user.token, body, deps })
    expect(answer).toMatchObject({ status: 409, body: { code: 'listing_not_available' } })
    const list = await payments.list(listing, { limit: 5, after: undefined })
    expect(list.items).toEqual([])
  })

  it('writes the payment before it asks the provider, and the same key carries it on', async () => {
    const key = randomUUID()
    const session = { id: 'cs_1', url: 'https://checkout.stripe.com/c/1', expires_at: 4_000_000_000 }
    const provider = stand(500, session)
    const stripe = { ...draft, provider: 'stripe' }

    const first = await post(stripe, { key, http: provider.http })
    expect(first).toMatchObject({ status: 502, body: { code: 'provider_unavailable' } })
    const sent = new URLSearchParams(provider.asked[0]?.body)
    const id = sent.get('client_reference_id') ?? ''
    expect(await get(id)).toMatchObject({ status: 'PENDING', checkout: null })

    const second = await post(stripe, { key, http: provider.http })
    expect(second).toMatchObject({
      status: 201,
      body: { id, providerReference: 'cs_1', checkout: { url: session.url } },
    })
    expect(provider.asked.map(({ headers }) => headers?.['idempotency-key'])).toEqual([id, id])

    const third = await post(stripe, { key, http: provider.http })
    expect(third).toMatchObject({
      status: 201,
      body: second.body,
      headers: { 'idempotent-replayed': 'true' },
    })
    expect(provider.asked).toHaveLength(2)
    expect(await post({ ...stripe, amount: 1 }, { key })).toMatchObject({ status: 422 })
  })

  it('asks Stripe in the units that Stripe counts in', async () => {
    const provider = stand({ id: 'cs_2', url: 'https://checkout.stripe.com/c/2', expires_at: 4_000_000_000 })
    await post({ ...draft, provider: 'stripe', currency: 'ISK', amount: 500 }, { http: provider.http })
    const sent = Object.fromEntries(new URLSearchParams(provider.asked[0]?.body))
    expect(sent).toMatchObject({
      mode: 'payment',
      'line_items[0][price_data][currency]': 'isk',
      'line_items[0][price_data][unit_amount]': '50000',
    })
  })

  it('asks Paystack in hundredths, whatever the currency, under the id of the payment', async () => {
    const provider = stand({ data: { authorization_url: 'https://checkout.paystack.com/x' } })
    const { body } = await post(
      { ...draft, provider: 'paystack', currency: 'XOF', amount: 1_500 },
      { http: provider.http },
    )
    const payment: PaymentView = body
    expect(JSON.parse(provider.asked[0]?.body ?? '')).toEqual({
      email: user.email,
      amount: 150_000,
      currency: 'XOF',
      // In the letters that Paystack documents for a reference.
      reference: payment.id.replace('_', '-'),
      metadata: { payment_id: payment.id },
    })
    expect(payment.checkout?.url).toBe('https://checkout.paystack.com/x')
  })

  it.each([
    ['metadata', { metadata: { note: '\ud800' } }],
    ['metadata', { metadata: { '\ud800': 'note' } }],
    ['returnUrl', { returnUrl: 'https://x.example/\ud800' }],
  ])('answers 400 to half a character in its %s', async (path, part) => {
    const { status, body } = await post({ ...draft, ...part })
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { errors: [{ path: expect.stringContaining(path) }] },
    })
  })

  it('answers 502 to a page that nobody can open, and the payment stays one that can be read', async () => {
    const url = `https://checkout.stripe.com/${'c'.repeat(5_000)}`
    const { http, asked } = stand({ id: 'cs_3', url, expires_at: 4_000_000_000 })
    const answer = await post({ ...draft, provider: 'stripe' }, { http })
    expect(answer).toMatchObject({ status: 502, body: { code: 'provider_unavailable' } })
    const id = new URLSearchParams(asked[0]?.body).get('client_reference_id') ?? ''
    expect(await get(id)).toMatchObject({ status: 'PENDING', checkout: null })
  })

  it.each([
    ['nonsense', { url: 'no' }],
    ['a refusal of our key', 401],
  ])('answers 502 to %s from the provider', async (_, answer) => {
    const { http } = stand(answer)
    const { status, body, text } = await post({ ...draft, provider: 'stripe' }, { http })
    expect({ status, body }).toMatchObject({ status: 502, body: { code: 'provider_unavailable' } })
    expect(text).not.toContain('sk_test')
  })
})

describe('GET /payments/{id}', () => {
  it('shows a payment to its payer only', async () => {
    const { body } = await post(draft)
    const { id }: PaymentView = body
    const stranger = await aUser()
    const theirs = await call(getPayment, { token: stranger.token, params: { id } })
    const nobodys = await call(getPayment, { token: stranger.token, params: { id: newId('payment') } })
    expect(theirs.status).toBe(404)
    expect(problem(theirs)).toEqual(problem(nobodys))
    expect(await call(getPayment, { params: { id } })).toMatchObject({ status: 401 })
    expect(await call(getPayment, { token: user.token, params: { id: 'pay_1' } })).toMatchObject({
      status: 404,
    })
  })

  it('follows what the provider tells', async () => {
    const { body } = await post(draft)
    const { id }: PaymentView = body
    const money = { reference: id, amount: 12_550, currency: 'EUR' }
    expect(await deliver(fromGateway('payment.succeeded', { id: 'txn_7', ...money }))).toMatchObject({
      status: 200,
    })
    expect(await get(id)).toMatchObject({ status: 'SUCCEEDED', providerReference: 'txn_7', failure: null })
    await deliver(fromGateway('payment.refunded', { refund_id: 'r1', ...money, amount: 550 }))
    expect(await get(id)).toMatchObject({
      status: 'PARTIALLY_REFUNDED',
      amountRefunded: 550,
      refunds: [{ paymentId: id, amount: 550, currency: 'EUR', status: 'SUCCEEDED', reason: null }],
    })
    await deliver(fromGateway('payment.disputed', money))
    expect((await get(id)).status).toBe('DISPUTED')
  })
})

describe('twenty payments', () => {
  it('at most twenty payments of a person are PENDING, however many come at once; one that ends makes room', async () => {
    const { token } = await aUser()
    const answers = await Promise.all(Array.from({ length: 30 }, () => post(draft, { token })))
    const started = answers.filter(({ status }) => status === 201)
    expect(started).toHaveLength(20)
    const refused = { status: 409, body: { code: 'open_payment_limit_reached' } }
    for (const answer of answers.filter(({ status }) => status !== 201)) expect(answer).toMatchObject(refused)
    expect(await post(draft, { token })).toMatchObject(refused)
    const [{ id, amount, currency }] = started.map(({ body }) => body) as [PaymentView]
    await deliver(fromGateway('payment.succeeded', { id: `txn_${id}`, reference: id, amount, currency }))
    expect((await post(draft, { token })).status).toBe(201)
    expect(await post(draft, { token })).toMatchObject(refused)
  })

  it('a payment that was PROCESSING and is PENDING again counts once, and no longer once it has ended', async () => {
    const payer = await aUser()
    const payerId = UserId.parse(payer.id)
    const { id }: PaymentView = (await post(draft, { token: payer.token })).body
    const payments = openPayments(testTable())
    const counts = [await payments.countOpen(payerId)]
    for (const status of ['PROCESSING', 'PENDING', 'FAILED'] as const) {
      const before = await payments.get(id)
      if (!before) throw new Error('no payment')
      await payments.commit(payments.save(before, { ...before, status, version: before.version + 1 }))
      counts.push(await payments.countOpen(payerId))
    }
    expect(counts).toEqual([1, 0, 1, 0])
  })
})
