import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type * as z from 'zod'
import { spec as cancelPayment } from '#functions/payments/cancel-payment'
import { spec as createPayment } from '#functions/payments/create-payment'
import { spec as getPaymentInFull } from '#functions/payments/get-payment-in-full'
import { spec as listCallbacks } from '#functions/payments/list-callbacks'
import { spec } from '#functions/payments/payment-callback'
import { spec as resolveCallback } from '#functions/payments/resolve-callback'
import { DomainError } from '#lib/kernel/domain-error'
import type { CallbackView } from '#lib/payments/callbacks/callback-view'
import type { PaymentInFull } from '#lib/payments/lists/administered-payment'
import type { PaymentView } from '#lib/payments/payment-view'
import { mercadopagoSignature } from '#lib/providers/adapters/mercadopago'
import { midtransSignature } from '#lib/providers/adapters/midtrans'
import { mollieSignature } from '#lib/providers/adapters/mollie'
import { providerHttp } from '#lib/providers/http'
import { uuidOf } from '#lib/providers/kit/api'
import type { Providers } from '#lib/providers/registry'
import { call } from '#test/support/call'
import { aCustomer } from '#test/support/enquiries'
import { consoleToken, type GivenUser } from '#test/support/given'
import { aPayment, paymentOf, played, UNCOUNTED } from '#test/support/payments'
import { SETTINGS, testProviders } from '#test/support/providers'
import { type StandIn, type StandInAnswer, type StandInRequest, startStandIn } from '#test/support/stand-in'

let user: GivenUser
let api: StandIn
let answers: (request: StandInRequest) => StandInAnswer
beforeEach(async () => {
  user = await aCustomer()
})
afterEach(() => api.close())

/** A provider whose API is played; what it answers may change as a payment goes on. */
async function playing(name: string, more: object, answer: typeof answers): Promise<Providers> {
  answers = answer
  api = await startStandIn((request) => answers(request))
  const settings = { [name]: { ...SETTINGS[name], ...more, apiBase: api.url } }
  return testProviders(settings, { http: providerHttp })
}

type Sent = {
  headers?: Record<string, string>
  body: string
  query?: Record<string, string>
  method?: string
}

const deliver = (provider: string, providers: Providers, { body, ...sent }: Sent) =>
  call(spec, { params: { provider }, rawBody: body, deps: { providers }, ...sent })
const statusOf = async ({ id }: PaymentView) => (await paymentOf(user, id)).status
const acknowledged = { status: 200 }

describe('mpesa', () => {
  const request = () => `ws_CO_${randomUUID()}`
  const stk = (id: string, code: number, amount: number) => ({
    body: JSON.stringify({
      Body: {
        stkCallback: {
          CheckoutRequestID: id,
          ResultCode: code,
          ResultDesc: 'said so',
          CallbackMetadata: { Item: [{ Name: 'Balance' }, { Name: 'Amount', Value: amount }] },
        },
      },
    }),
  })
  const query = (id: string, code: string) => (request: StandInRequest) => {
    if (request.path.startsWith('/oauth')) return { json: { access_token: 't' } }
    if (request.path.endsWith('/processrequest'))
      return { json: { CheckoutRequestID: id, ResponseCode: '0' } }
    return { json: { ResultCode: code, ResultDesc: 'queried' } }
  }
  const draft = { provider: 'mpesa', amount: 125_500, currency: 'KES', phone: '+254708374149' }

  it('is paid once the query says so too', async () => {
    const id = request()
    const providers = await playing('mpesa', {}, query(id, '0'))
    const payment = await aPayment(user, draft, providers)
    expect(payment.checkout).toMatchObject({ url: null })
    const answer = await deliver('mpesa', providers, stk(id, 0, 1255))
    expect(answer).toMatchObject({ status: 200, body: { ResultCode: 0, ResultDesc: 'Accepted' } })
    expect(await statusOf(payment)).toBe('SUCCEEDED')
  })

  it('is not paid by who merely says so', async () => {
    const id = request()
    const providers = await playing('mpesa', {}, query(id, '1032'))
    const payment = await aPayment(user, draft, providers)
    expect(await deliver('mpesa', providers, stk(id, 0, 1255))).toMatchObject(acknowledged)
    expect(await statusOf(payment)).toBe('CANCELLED')
  })

  it('is not paid by a request that is not ours', async () => {
    const id = request()
    const providers = await playing('mpesa', {}, query(id, '0'))
    const payment = await aPayment(user, draft, providers)
    expect(await deliver('mpesa', providers, stk(request(), 0, 1255))).toMatchObject(acknowledged)
    expect(await statusOf(payment)).toBe('PENDING')
  })

  // The query confirms the request and names no sum: what a stranger claims is stored nowhere.
  it('is paid by what was asked for, whatever sum a stranger claims, and leaves nothing to decide', async () => {
    const id = request()
    const providers = await playing('mpesa', {}, query(id, '0'))
    const payment = await aPayment(user, draft, providers)
    for (const claimed of [1, 2, 3, 1255]) {
      expect(await deliver('mpesa', providers, stk(id, 0, claimed))).toMatchObject(acknowledged)
    }
    expect(await deliver('mpesa', providers, stk(id, 1032, 1255))).toMatchObject(acknowledged)
    // The first claim is asked about. Then the money has come, and no claim can change that.
    expect(api.requests.filter(({ path }) => path.includes('query'))).toHaveLength(1)
    expect(await paymentOf(user, payment.id)).toMatchObject({ status: 'SUCCEEDED', amount: 125_500 })
    const { body } = await call(getPaymentInFull, { token: await consoleToken(), params: { id: payment.id } })
    const { attention, callbacks }: z.infer<typeof PaymentInFull> = body
    expect(attention).toEqual([])
    expect(new Set(callbacks.map(({ status }) => status))).toEqual(new Set(['PROCESSED']))
  })

  it.each([
    ['waits while the prompt is open', 200, { errorMessage: 'The transaction is being processed' }],
    ['is asked for again when the query fails', 503, undefined],
  ])('%s', async (_, status, json) => {
    const id = request()
    const providers = await playing('mpesa', {}, query(id, '0'))
    const payment = await aPayment(user, draft, providers)
    answers = (asked) => (asked.path.includes('query') ? { status: 500, json } : query(id, '0')(asked))
    expect(await deliver('mpesa', providers, stk(id, 0, 1255))).toMatchObject({ status })
    expect(await statusOf(payment)).toBe('PENDING')
  })

  describe('a prompt whose request is unknown, because the answer was lost', () => {
    const prompts = () => api.requests.filter(({ path }) => path.endsWith('/processrequest'))
    const lost = async (id: string, at = '/processrequest', lost: StandInAnswer = 'hangs up') => {
      const key = randomUUID()
      const providers = await playing('mpesa', {}, query(id, '0'))
      const isLost = ({ path }: StandInRequest) => path.includes(at)
      answers = (asked) => (isLost(asked) ? lost : query(id, '0')(asked))
      const again = () =>
        call(createPayment, {
          token: user.token,
          body: { purpose: 'fee', ...draft },
          headers: { 'idempotency-key': key },
          deps: { providers, phonePromptCounters: UNCOUNTED },
        })
      expect(await again()).toMatchObject({ status: 502, body: { code: 'provider_unavailable' } })
      answers = query(id, '0')
      const { CallBackURL = 'https://api.platform.test' } = JSON.parse(prompts()[0]?.body ?? '{}')
      return { providers, again, query: Object.fromEntries(new URL(CallBackURL).searchParams) }
    }

    it('is paid by the callback, and then not asked for again', async () => {
      const id = request()
      const { providers, again, query } = await lost(id)
      expect(await deliver('mpesa', providers, { ...stk(id, 0, 1255), query })).toMatchObject(acknowledged)
      const asked = api.requests.length
      expect(await again()).toMatchObject({
        status: 201,
        body: { id: query['payment'], status: 'SUCCEEDED', providerReference: id, checkout: null },
      })
      expect(api.requests).toHaveLength(asked)
    })

    it.each<[string, StandInAnswer]>([
      ['broke off', 'hangs up'],
      ['was given up by a gateway', { status: 504 }],
    ])('is asked for once when the answer %s', async (_, answer) => {
      const { again } = await lost(request(), '/processrequest', answer)
      expect(await again()).toMatchObject({
        status: 201,
        body: { status: 'PENDING', checkout: { url: null } },
      })
      expect(prompts()).toHaveLength(1)
    })

    it.each<[string, string, StandInAnswer, number]>([
      ['the prompt is refused', '/processrequest', { status: 503 }, 2],
      ['nobody was asked yet', '/oauth', 'hangs up', 1],
    ])('is asked for again when %s', async (_, at, answer, count) => {
      const id = request()
      const { again } = await lost(id, at, answer)
      expect(await again()).toMatchObject({ status: 201, body: { providerReference: id } })
      expect(prompts()).toHaveLength(count)
    })

    // Somebody pays little by a prompt of their own, and says at the address of a dear payment that it was this one.
    it('is not paid by a prompt of another payment', async () => {
      const id = request()
      const { providers, query } = await lost(id)
      for (const token of ['', 'x', query['token']?.replace(/.$/, 'x') ?? '']) {
        const forged = { ...stk(id, 0, 1255), query: { payment: query['payment'] ?? '', token } }
        expect(await deliver('mpesa', providers, forged)).toMatchObject(acknowledged)
      }
      expect((await paymentOf(user, query['payment'] ?? '')).status).toBe('PENDING')
    })
  })
})

describe('paypal', () => {
  it('asks for another token once the one it has is withdrawn', async () => {
    let tokens = 0
    const providers = await playing('paypal', {}, ({ path, headers }) => {
      if (path.endsWith('/token')) {
        tokens += 1
        return { json: { access_token: `t${tokens}`, expires_in: 32_400 } }
      }
      if (headers['authorization'] === 'Bearer t1') return { status: 401 }
      return { json: { verification_status: 'SUCCESS' } }
    })
    const signed = {
      'paypal-auth-algo': 'SHA256withRSA',
      'paypal-cert-url': 'https://api.paypal.com/c',
      'paypal-transmission-id': '1',
      'paypal-transmission-sig': 'x',
      'paypal-transmission-time': '2026-11-20T10:00:00Z',
    }
    const sent = { headers: signed, body: JSON.stringify({ id: `WH-${randomUUID()}`, event_type: 'X' }) }
    expect(await deliver('paypal', providers, sent)).toMatchObject({ status: 503 })
    expect(await deliver('paypal', providers, sent)).toMatchObject(acknowledged)
  })
})

describe('a callback that its provider has to verify or to carry on', () => {
  it.each(['verify', 'interpret'] as const)('is sent again when that fails: %s', async (what) => {
    const silent = async () => {
      throw new DomainError('provider_unavailable')
    }
    const providers = played({ [what]: silent })
    expect(await deliver('played', providers, { body: '{}' })).toMatchObject({
      status: 503,
      body: { code: 'unavailable' },
    })
  })
})

describe('cinetpay', () => {
  it('pings the address with a GET, which does nothing', async () => {
    const providers = await playing('cinetpay', {}, () => undefined)
    expect(await deliver('cinetpay', providers, { body: '', method: 'GET' })).toMatchObject(acknowledged)
    expect(api.requests).toEqual([])
  })
})

describe('mtn-momo', () => {
  const draft = { provider: 'mtn-momo', amount: 12_550, currency: 'XAF', phone: '+237670000001' }
  const momo = (state: object) => (request: StandInRequest) => {
    if (request.path.endsWith('/token/')) return { json: { access_token: 't' } }
    if (request.method === 'POST') return { status: 202 }
    return { json: { amount: '12550', currency: 'XAF', financialTransactionId: randomUUID(), ...state } }
  }
  const said = (payment: PaymentView, status: string) => ({
    body: JSON.stringify({ externalId: payment.id, amount: '12550', currency: 'XAF', status }),
  })

  it.each(['PUT', 'POST'])('is paid once the API says so too, by %s', async (method) => {
    const providers = await playing('mtn-momo', {}, momo({ status: 'SUCCESSFUL' }))
    const payment = await aPayment(user, draft, providers)
    expect(await deliver('mtn-momo', providers, { ...said(payment, 'SUCCESSFUL'), method })).toMatchObject(
      acknowledged,
    )
    expect(await statusOf(payment)).toBe('SUCCEEDED')
    expect(api.requests.at(-1)?.path).toBe(`/collection/v1_0/requesttopay/${uuidOf(payment.id)}`)
  })

  it.each([
    ['still waits', { status: 'PENDING' }, 'PENDING'],
    ['was refused', { status: 'FAILED', reason: { code: 'APPROVAL_REJECTED' } }, 'FAILED'],
    ['was another sum', { status: 'SUCCESSFUL', amount: '1' }, 'PENDING'],
  ])('is not paid by who merely says so: it %s', async (_, state, status) => {
    const providers = await playing('mtn-momo', {}, momo(state))
    const payment = await aPayment(user, draft, providers)
    expect(await deliver('mtn-momo', providers, said(payment, 'SUCCESSFUL'))).toMatchObject(acknowledged)
    expect(await statusOf(payment)).toBe(status)
  })
})

describe('xendit', () => {
  it('attaches no money of an invoice that its API knows as expired, and the payment stays as it was', async () => {
    const invoice = { id: randomUUID(), external_id: 'by hand', amount: 125_500, currency: 'IDR' }
    const providers = await playing('xendit', {}, ({ method, path }) => {
      if (method === 'POST') return { json: { id: 'own', invoice_url: 'https://pay.example/1' } }
      return { json: path.includes('by+hand') ? [{ ...invoice, status: 'EXPIRED' }] : [] }
    })
    const draft = { provider: 'xendit', amount: 12_550_000, currency: 'IDR' }
    const payment = await aPayment(user, draft, providers)
    const body = JSON.stringify({ ...invoice, status: 'PAID' })
    const headers = { 'x-callback-token': 'xnd_token' }
    expect(await deliver('xendit', providers, { body, headers })).toMatchObject(acknowledged)
    const token = await consoleToken()
    const query = { status: 'UNMATCHED', provider: 'xendit', limit: '100' }
    const { items }: { items: CallbackView[] } = (await call(listCallbacks, { token, query })).body
    const resolved = await call(resolveCallback, {
      token,
      params: { id: items.find(({ eventId }) => eventId.startsWith(invoice.id))?.id ?? '' },
      body: { action: 'ATTACH', paymentId: payment.id, note: 'Paid by hand' },
      deps: { providers },
    })
    expect(resolved).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    expect(await statusOf(payment)).toBe('PENDING')
  })
})

describe('mollie', () => {
  const draft = { provider: 'mollie', amount: 12_550, currency: 'EUR' }
  const amount = { value: '125.50', currency: 'EUR' }
  const mollie = (id: string, paid: () => string) => (request: StandInRequest) => {
    const links = { _links: { checkout: { href: 'https://pay.example/1' } } }
    if (request.method === 'POST') return { json: { id, status: 'open', amount, ...links } }
    if (!request.path.startsWith(`/v2/payments/${id}?`)) return undefined
    return { json: { id, status: 'paid', amount, metadata: { payment_id: paid() } } }
  }

  it.each([
    ['signed webhooks are not set up', {}],
    ['they are', { webhookSecrets: ['mollie_secret'] }],
  ])('is asked about what is unsigned, where %s', async (_, more) => {
    const id = `tr_${randomUUID().replaceAll('-', '')}`
    let ours = ''
    const providers = await playing(
      'mollie',
      more,
      mollie(id, () => ours),
    )
    const payment = await aPayment(user, draft, providers)
    ours = payment.id
    expect(await deliver('mollie', providers, { body: `id=${id}` })).toMatchObject(acknowledged)
    expect(await statusOf(payment)).toBe('SUCCEEDED')
  })

  it.each([
    ['acknowledged where its account does not sign', {}, 200],
    ['refused where its account signs', { webhookSecrets: ['mollie_secret'] }, 401],
  ])(
    'costs one question about an unsigned id that the API does not know, which is %s',
    async (_, more, status) => {
      let questions = 0
      const known = mollie('tr_1', () => 'no payment of ours')
      const providers = await playing('mollie', more, (request) => {
        questions += 1
        return known(request)
      })
      expect(await deliver('mollie', providers, { body: 'id=tr_2' })).toMatchObject({ status })
      expect(questions).toBe(1)
    },
  )

  it('counts money that names no payment of ours, and its refunds, once an administrator says whose it is', async () => {
    const [own, byHand] = [1, 2].map(() => `tr_${randomUUID().replaceAll('-', '')}`)
    const known = mollie(own ?? '', () => '')
    let refunds: object[] = []
    const providers = await playing('mollie', {}, (request) =>
      request.path.startsWith(`/v2/payments/${byHand}?`)
        ? { json: { id: byHand, status: 'paid', amount, metadata: null, _embedded: { refunds } } }
        : request.path.startsWith(`/v2/payments/${own}?`)
          ? { json: { id: own, status: 'open', amount, metadata: null } }
          : known(request),
    )
    const payment = await aPayment(user, draft, providers)
    expect(await deliver('mollie', providers, { body: `id=${byHand}` })).toMatchObject(acknowledged)
    const token = await consoleToken()
    const query = { status: 'UNMATCHED', provider: 'mollie', limit: '100' }
    const { items }: { items: CallbackView[] } = (await call(listCallbacks, { token, query })).body
    const callback = items.find(({ reference }) => reference === byHand)
    const resolved = await call(resolveCallback, {
      token,
      params: { id: callback?.id ?? '' },
      body: { action: 'ATTACH', paymentId: payment.id, note: 'Paid by hand' },
      deps: { providers },
    })
    expect(resolved).toMatchObject({ status: 200, body: { status: 'PROCESSED', paymentId: payment.id } })
    const { body } = await call(getPaymentInFull, { token, params: { id: payment.id } })
    expect(body).toMatchObject({ status: 'SUCCEEDED', charges: [{ id: byHand, state: 'COUNTS' }] })
    refunds = [{ id: 're_1', status: 'refunded', amount: { value: '25.50', currency: 'EUR' } }]
    expect(await deliver('mollie', providers, { body: `id=${byHand}` })).toMatchObject(acknowledged)
    expect(await paymentOf(user, payment.id)).toMatchObject({
      status: 'PARTIALLY_REFUNDED',
      amountRefunded: 2_550,
    })
  })

  it('has an unsigned callback sent again while the API that knows better is down', async () => {
    const down = () => ({ status: 500 })
    for (const more of [{}, { webhookSecrets: ['mollie_secret'] }]) {
      const providers = await playing('mollie', more, down)
      expect(await deliver('mollie', providers, { body: 'id=tr_1' })).toMatchObject({ status: 503 })
      api.close()
    }
  })

  it('books what a signed event says was deducted for a payment', async () => {
    const id = `tr_${randomUUID().replaceAll('-', '')}`
    let ours = ''
    const secret = { webhookSecrets: ['mollie_secret'] }
    const providers = await playing(
      'mollie',
      secret,
      mollie(id, () => ours),
    )
    const payment = await aPayment(user, draft, providers)
    ours = payment.id
    const send = (type: string, entity: object) => {
      const body = JSON.stringify({ id: `event_${type}_${id}`, type, entityId: 'any', _embedded: { entity } })
      const headers = { 'x-mollie-signature': mollieSignature('mollie_secret', Buffer.from(body)) }
      return deliver('mollie', providers, { body, headers })
    }
    await send('payment.paid', { id, status: 'paid', amount, metadata: { payment_id: payment.id } })
    const deductions = { value: '-0.29', currency: 'EUR' }
    const booking = { id: 'baltr_1', type: 'payment', deductions, context: { payment: { paymentId: id } } }
    expect(await send('balance-transaction.created', booking)).toMatchObject(acknowledged)
    const token = await consoleToken()
    const { body } = await call(getPaymentInFull, { token, params: { id: payment.id }, deps: { providers } })
    expect(body.ledger).toEqual(
      expect.arrayContaining([expect.objectContaining({ account: 'fees', amount: 29, currency: 'EUR' })]),
    )
  })

  it('asks about a signed event that came without its payment', async () => {
    const id = `tr_${randomUUID().replaceAll('-', '')}`
    let ours = ''
    const providers = await playing(
      'mollie',
      { webhookSecrets: ['mollie_secret'] },
      mollie(id, () => ours),
    )
    const payment = await aPayment(user, draft, providers)
    ours = payment.id
    const body = JSON.stringify({ id: `event_${id}`, type: 'payment.paid', entityId: id })
    const headers = { 'x-mollie-signature': mollieSignature('mollie_secret', Buffer.from(body)) }
    expect(await deliver('mollie', providers, { body, headers })).toMatchObject(acknowledged)
    expect(await statusOf(payment)).toBe('SUCCEEDED')
  })
})

describe('mercadopago', () => {
  it('is asked about the one id that is signed, whatever the body says', async () => {
    const id = String(Math.floor(Math.random() * 10 ** 12))
    let ours = ''
    const providers = await playing('mercadopago', {}, (request) => {
      if (request.method === 'POST')
        return { json: { id: `pref-${id}`, init_point: 'https://pay.example/1' } }
      if (request.path !== `/v1/payments/${id}`) return undefined
      const paid = {
        status: 'approved',
        transaction_amount: 125.5,
        currency_id: 'BRL',
        external_reference: ours,
      }
      return { json: { id: Number(id), ...paid } }
    })
    const payment = await aPayment(
      user,
      { provider: 'mercadopago', amount: 12_550, currency: 'BRL' },
      providers,
    )
    ours = payment.id
    const signed = { dataId: id, requestId: 'r-1', sentAt: '1795000000' }
    const sent = {
      body: '{"type":"payment","data":{"id":"1"}}',
      query: { 'data.id': id, type: 'payment' },
      headers: { 'x-request-id': 'r-1', 'x-signature': mercadopagoSignature('mp_secret', signed) },
    }
    const other = { ...sent, query: { ...sent.query, 'data.id': '999' } }
    expect(await deliver('mercadopago', providers, other)).toMatchObject({ status: 401 })
    expect(await deliver('mercadopago', providers, sent)).toMatchObject(acknowledged)
    expect(await statusOf(payment)).toBe('SUCCEEDED')
    expect(await deliver('mercadopago', providers, sent)).toMatchObject(acknowledged)
  })
})

describe('midtrans', () => {
  const draft = { provider: 'midtrans', amount: 12_550_000, currency: 'IDR' }
  const settled = { transaction_status: 'settlement', status_code: '200', payment_type: 'echannel' }
  const signed = (transaction: Parameters<typeof midtransSignature>[1]) => ({
    body: JSON.stringify({ ...transaction, signature_key: midtransSignature('midtrans_key', transaction) }),
  })

  it.each([
    ['a settled transfer that is denied', { transaction_status: 'deny', status_code: '202' }, 'CHARGED_BACK'],
    ['a card that is cancelled', { transaction_status: 'cancel', status_code: '200' }, 'REFUNDED'],
  ])('gives back the money of %s', async (_, back, status) => {
    let truth = { ...settled, order_id: '', transaction_id: randomUUID(), gross_amount: '125500.00' }
    const providers = await playing('midtrans', { serverKey: 'midtrans_key' }, ({ method }) =>
      method === 'POST' ? { json: { redirect_url: 'https://pay.example/1' } } : { json: truth },
    )
    const payment = await aPayment(user, draft, providers)
    truth = { ...truth, order_id: payment.id }
    expect(await deliver('midtrans', providers, signed(truth))).toMatchObject(acknowledged)
    expect(await statusOf(payment)).toBe('SUCCEEDED')
    truth = { ...truth, ...back }
    expect(await deliver('midtrans', providers, signed(truth))).toMatchObject(acknowledged)
    expect(await statusOf(payment)).toBe(status)
  })
})

describe('flutterwave version 3', () => {
  const draft = { provider: 'flutterwave', amount: 12_550, currency: 'NGN' }
  const flutterwave = (transaction: () => object) => (request: StandInRequest) =>
    request.method === 'POST'
      ? { json: { data: { link: 'https://pay.example/1' } } }
      : { json: { data: isList(request) ? [] : transaction() } }
  const isList = ({ path }: StandInRequest) => /^\/v3\/(refunds|chargebacks)/.test(path)
  const said = (payment: PaymentView, id: number) => ({
    headers: { 'verif-hash': 'flw_secret' },
    body: JSON.stringify({
      event: 'charge.completed',
      data: { id, tx_ref: payment.id, amount: 125.5, currency: 'NGN', status: 'successful' },
    }),
  })

  it.each([
    ['the very payment', {}, 'SUCCEEDED'],
    ['a try that failed', { status: 'failed' }, 'PENDING'],
    ['too little', { amount: 1 }, 'PENDING'],
    ["somebody else's payment", { tx_ref: 'another' }, 'PENDING'],
  ])('pays by what the API says, not the body: %s', async (_, truth, status) => {
    const id = Math.floor(Math.random() * 10 ** 12)
    let ours = ''
    const fact = () => ({ id, tx_ref: ours, amount: 125.5, currency: 'NGN', status: 'successful', ...truth })
    const providers = await playing('flutterwave', {}, flutterwave(fact))
    const payment = await aPayment(user, draft, providers)
    ours = payment.id
    expect(await deliver('flutterwave', providers, said(payment, id))).toMatchObject(acknowledged)
    expect(await statusOf(payment)).toBe(status)
  })

  it('shows a second charge under the same reference, whose callback names it', async () => {
    const first = Math.floor(Math.random() * 10 ** 12)
    const charges: { id: number; tx_ref: string }[] = []
    const providers = await playing('flutterwave', {}, ({ method, path }) => {
      if (method === 'POST') return { json: { data: { link: 'https://pay.example/1' } } }
      if (/^\/v3\/(refunds|chargebacks)/.test(path)) return { json: { data: [] } }
      const named = charges.find(({ id }) => path === `/v3/transactions/${id}/verify`)
      return { json: { data: named ?? charges[0] } }
    })
    const payment = await aPayment(user, draft, providers)
    for (const id of [first, first + 1]) {
      const charge = { id, tx_ref: payment.id, amount: 125.5, currency: 'NGN', status: 'successful' }
      charges.push(charge)
      expect(await deliver('flutterwave', providers, said(payment, id))).toMatchObject(acknowledged)
    }
    const { body } = await call(getPaymentInFull, {
      token: await consoleToken(),
      params: { id: payment.id },
      deps: { providers },
    })
    expect(body).toMatchObject({
      status: 'SUCCEEDED',
      charges: [{ id: `${first}` }, { id: `${first + 1}` }],
      attention: [{ code: 'second_charge' }],
    })
  })
})

describe('wave, with a bare secret', () => {
  it('is believed for who sent it, and asked for what it says', async () => {
    const id = `cos-${randomUUID()}`
    const session = {
      id,
      amount: '12550',
      currency: 'XOF',
      checkout_status: 'open',
      payment_status: 'processing',
    }
    const providers = await playing('wave', {}, ({ method }) =>
      method === 'POST' ? { json: { id, wave_launch_url: 'https://pay.example/1' } } : { json: session },
    )
    const payment = await aPayment(user, { provider: 'wave', amount: 12_550, currency: 'XOF' }, providers)
    const data = {
      ...session,
      client_reference: payment.id,
      checkout_status: 'complete',
      payment_status: 'succeeded',
    }
    const sent = {
      headers: { authorization: 'Bearer wave_secret' },
      body: JSON.stringify({ id: `EV_${id}`, type: 'checkout.session.completed', data }),
    }
    expect(await deliver('wave', providers, sent)).toMatchObject(acknowledged)
    expect(await statusOf(payment)).toBe('PENDING')
    answers = () => ({ json: data })
    expect(await deliver('wave', providers, sent)).toMatchObject(acknowledged)
    expect(await statusOf(payment)).toBe('SUCCEEDED')
  })
})

describe('paypal', () => {
  /** A payment whose order its payer has approved, and PayPal's word of that. */
  async function approved() {
    const id = `ORDER${randomUUID()}`
    let ours = ''
    let isCaptured = false
    const unit = () => ({
      custom_id: ours,
      payments: {
        captures: isCaptured
          ? [{ id: `CAP${id}`, status: 'COMPLETED', amount: { value: '125.50', currency_code: 'EUR' } }]
          : [],
      },
    })
    const order = () => ({ id, status: isCaptured ? 'COMPLETED' : 'APPROVED', purchase_units: [unit()] })
    const providers = await playing('paypal', {}, ({ path }) => {
      if (path === '/v1/oauth2/token') return { json: { access_token: 'A21', expires_in: 3600 } }
      if (path.endsWith('/verify-webhook-signature')) return { json: { verification_status: 'SUCCESS' } }
      if (path.endsWith('/capture')) isCaptured = true
      const links = [{ rel: 'payer-action', href: 'https://pay.example/1' }]
      return { json: path === '/v2/checkout/orders' ? { id, links } : order() }
    })
    const payment = await aPayment(user, { provider: 'paypal', amount: 12_550, currency: 'EUR' }, providers)
    ours = payment.id
    const headers = Object.fromEntries(
      ['auth-algo', 'transmission-id', 'transmission-sig', 'transmission-time'].map((name) => [
        `paypal-${name}`,
        'x',
      ]),
    )
    const sent = {
      headers: { ...headers, 'paypal-cert-url': 'https://api.paypal.com/certs/1' },
      body: JSON.stringify({ id: `WH-${id}`, event_type: 'CHECKOUT.ORDER.APPROVED', resource: order() }),
    }
    return {
      payment,
      providers,
      approve: () => deliver('paypal', providers, sent),
      isCaptured: () => isCaptured,
    }
  }

  it('is captured once it was approved, and paid only then', async () => {
    const { payment, approve } = await approved()
    expect(await approve()).toMatchObject(acknowledged)
    const before = await paymentOf(user, payment.id)
    expect(before).toMatchObject({ status: 'SUCCEEDED' })
    expect(await approve()).toMatchObject(acknowledged)
    expect(await paymentOf(user, payment.id)).toEqual(before)
  })

  it('is not captured for a payer who has cancelled meanwhile', async () => {
    const { payment, providers, approve, isCaptured } = await approved()
    const params = { id: payment.id }
    expect(
      (
        await call(cancelPayment, {
          token: user.token,
          params,
          deps: { providers, phonePromptCounters: UNCOUNTED },
        })
      ).status,
    ).toBe(200)
    expect(await approve()).toMatchObject(acknowledged)
    expect(isCaptured()).toBe(false)
    expect(await statusOf(payment)).toBe('CANCELLED')
  })
})
