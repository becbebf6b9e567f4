import { describe, expect, it } from 'vitest'
import { uuidOf } from '#lib/providers/kit/api'
import { SETTINGS, testProviders } from '#test/support/providers'
import { ID, KEY, REFUND } from './example.ts'
import { example } from './examples/mtn-momo.ts'
import { orderOf, paymentOf, refundOf, speakWith } from './speak.ts'

const { conversation } = example
const opened = (more: object) => testProviders({ momo: { provider: 'mtn-momo', ...more } }).find('momo')

describe('an account of mtn-momo', () => {
  const { disbursement: _, ...collection } = SETTINGS['mtn-momo'] ?? {}

  it.each([
    ['mtncameroon', ['XAF'], ['CM']],
    ['mtnivorycoast', ['XOF'], ['CI']],
    ['mtnuganda', ['UGX'], ['UG']],
    ['sandbox', ['EUR'], 'any'],
  ])('takes the one currency and country of its target environment: %s', async (environment, ...market) => {
    const provider = await opened({ ...collection, targetEnvironment: environment })
    expect([provider?.currencies, provider?.countries]).toEqual(market)
  })

  it('makes no refunds without the keys of disbursements', async () => {
    expect(await opened(collection)).not.toHaveProperty('startRefund')
  })

  it('an account with some of those keys alone does not start', async () => {
    const half = { ...collection, disbursement: { apiUser: 'du' } }
    await expect(opened(half)).rejects.toThrow('momo.disbursement.apiKey')
  })
})

describe('a token of mtn-momo', () => {
  const logins = <Request extends { path: string }>(requests: Request[]) =>
    requests.filter(({ path }) => path.includes('token'))

  it('is kept for its life, one for each product with its own keys', async () => {
    const { provider, api } = await speakWith('mtn-momo', conversation)
    const payment = paymentOf(conversation)
    await provider.start(orderOf(conversation))
    await provider.readPayment?.({ references: [ID], payment, refundKeys: [REFUND, KEY] })
    await provider.startRefund?.(refundOf(conversation))
    const keys = logins(api.requests).map(({ path, headers }) => [path, headers['ocp-apim-subscription-key']])
    expect(keys).toEqual([
      ['/collection/token/', 's'],
      ['/disbursement/token/', 'ds'],
    ])
    const authorization = api.requests.at(-1)?.headers['authorization']
    expect(authorization).toBe('Bearer d')
  })

  it('is asked for again once it is refused', async () => {
    const { provider, api } = await speakWith('mtn-momo', conversation, {
      'POST /collection/v1_0/requesttopay': { status: 401, json: {} },
    })
    for (const _ of [1, 2]) {
      const started = provider.start(orderOf(conversation))
      await expect(started).rejects.toMatchObject({ code: 'provider_unavailable' })
    }
    expect(logins(api.requests)).toHaveLength(2)
  })
})

describe('a prompt of mtn-momo', () => {
  it('is not started twice where it was taken before', async () => {
    const { provider } = await speakWith('mtn-momo', conversation, {
      'POST /collection/v1_0/requesttopay': { status: 409, json: { code: 'RESOURCE_ALREADY_EXIST' } },
    })
    expect(await provider.start(orderOf(conversation))).toMatchObject({ references: [uuidOf(ID)] })
  })

  it.each([
    ['PAYER_NOT_FOUND', { refused: { providerCode: 'PAYER_NOT_FOUND', message: 'said so' } }],
    ['INVALID_CURRENCY', { refused: { providerCode: 'INVALID_CURRENCY' } }],
    ['INTERNAL_PROCESSING_ERROR', { code: 'provider_unavailable' }],
    ['NOT_ALLOWED', { code: 'provider_unavailable' }],
  ])('that a 500 refuses is refused for good only where its code says so: %s', async (code, outcome) => {
    const { provider } = await speakWith('mtn-momo', conversation, {
      'POST /collection/v1_0/requesttopay': { status: 500, json: { code, message: 'said so' } },
    })
    const answer = await provider.start(orderOf(conversation)).catch((error: unknown) => error)
    expect(answer).toMatchObject(outcome)
  })

  it.each([
    ['EXPIRED', 'expired'],
    ['TRANSACTION_CANCELED', 'cancelled'],
  ])('that ended without a failure says how: %s', async (code, kind) => {
    const failed = { status: 'FAILED', reason: { code } }
    const { provider } = await speakWith('mtn-momo', conversation, {
      [`GET /collection/v1_0/requesttopay/${uuidOf(ID)}`]: { status: 200, json: failed },
    })
    const payment = paymentOf(conversation)
    expect(await provider.readPayment?.({ references: [ID], payment })).toMatchObject({
      charges: [{ kind }],
    })
  })
})

describe('a refund of mtn-momo', () => {
  it.each([
    ['PAYEE_NOT_FOUND', { state: 'failed', providerRefundId: null }],
    ['SERVICE_UNAVAILABLE', { code: 'provider_unavailable' }],
  ])('that a 500 refuses has failed only where its code says so: %s', async (code, outcome) => {
    const { provider } = await speakWith('mtn-momo', conversation, {
      'POST /disbursement/v1_0/refund': { status: 500, json: { code } },
    })
    const answer = await provider.startRefund?.(refundOf(conversation)).catch((error: unknown) => error)
    expect(answer).toMatchObject(outcome)
  })
})

describe('a callback of mtn-momo about a refund', () => {
  it('names no payment', async () => {
    const provider = await opened({ ...SETTINGS['mtn-momo'] })
    const rawBody = Buffer.from(JSON.stringify({ externalId: REFUND, status: 'SUCCESSFUL', amount: '50' }))
    const events = await provider?.interpret({ method: 'PUT', rawBody, headers: {}, rawQuery: '' })
    expect(events).toMatchObject([{ references: [], statement: null }])
  })
})
