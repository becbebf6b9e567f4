import { describe, expect, it } from 'vitest'
import { EXPIRES_AT, ID, PAGE } from './example.ts'
import { example } from './examples/xendit.ts'
import { orderOf, paymentOf, refundOf, speakWith } from './speak.ts'

const { conversation } = example
const SEARCH = `GET /v2/invoices?external_id=${ID}`
const invoice = { external_id: ID, invoice_url: PAGE, expiry_date: EXPIRES_AT, status: 'PENDING' }
const paid = { ...invoice, status: 'PAID', amount: 125_500, currency: 'IDR' }

const reading = async (...invoices: object[]) => {
  const { provider } = await speakWith('xendit', { script: { [SEARCH]: invoices } })
  const payment = { ...paymentOf(conversation), references: ['6735'] }
  return provider.readPayment?.({ references: ['6735'], payment })
}

describe('an invoice of xendit', () => {
  it('is made once for a payment, though the answer was lost', async () => {
    const { provider, api } = await speakWith('xendit', conversation, {
      [SEARCH]: [{ ...invoice, id: '6734' }],
    })
    const started = { url: PAGE, expiresAt: EXPIRES_AT, references: ['6734'] }
    expect(await provider.start(orderOf(conversation))).toEqual(started)
    expect(api.requests.filter(({ method }) => method === 'POST')).toEqual([])
  })

  it('leaves the payment open where it is open beside an expired one', async () => {
    const expired = { ...invoice, id: '6734', status: 'EXPIRED' }
    expect(await reading(expired)).toMatchObject({ charges: [{ kind: 'expired' }] })
    expect(await reading(expired, { ...invoice, id: '6735' })).toMatchObject({ charges: [] })
  })

  it('is a charge of its own where it is paid beside another', async () => {
    expect(await reading({ ...paid, id: '6734' }, { ...paid, id: '6735', status: 'SETTLED' })).toMatchObject({
      charges: [{ chargeId: '6734' }, { chargeId: '6735' }],
      refunds: [],
    })
  })
})

describe('a refund of xendit', () => {
  it.each([
    [403, 'INELIGIBLE_TRANSACTION', { state: 'failed', providerRefundId: null }],
    [403, 'UNAUTHORIZED', { code: 'provider_unavailable' }],
  ])('that is answered %i %s', async (status, error_code, outcome) => {
    const { provider } = await speakWith('xendit', conversation, {
      'POST /refunds': { status, json: { error_code, message: 'said so' } },
    })
    const answer = await provider.startRefund?.(refundOf(conversation)).catch((error: unknown) => error)
    expect(answer).toMatchObject(outcome)
  })
})

/** The samples of Xendit's SDK (xendit-node 7, docs/Refund.md and docs/Invoice.md) and of xendit-php's RefundList. */
const REFUND = {
  id: 'rfd-6f4a377d-a201-437f-9119-f8b00cbbe857',
  payment_id: 'ddpy-3cd658ae-25b9-4659-aa36-596ae41a809f',
  invoice_id: null,
  amount: 10_000,
  payment_method_type: 'DIRECT_DEBIT',
  channel_code: 'BPI',
  currency: 'PHP',
  status: 'SUCCEEDED',
  reason: 'CANCELLATION',
  reference_id: 'b2756a1e-e6cd-4352-9a68-0483aa2b6a2',
  failure_code: null,
  refund_fee_amount: null,
  created: '2020-08-30T09:12:33.001Z',
  updated: '2020-08-30T09:12:33.001Z',
  metadata: null,
}
const LISTED = {
  id: 'rfd-1fdaf346-dd2e-4b6c-b938-124c7167a822',
  payment_request_id: 'pr-f4a6f77c-4835-4630-9617-2cdc34ee26ee',
  invoice_id: '',
  amount: 1500,
  channel_code: 'SHOPEEPAY',
  country: 'PH',
  currency: 'PHP',
  reference_id: 'order-1234',
  failure_code: null,
  refund_fee_amount: null,
  created: '2023-01-24T07:05:07.859363326Z',
  updated: '2023-01-24T07:05:07.859363326Z',
  metadata: null,
}
const INVOICE = {
  id: '593f4ed1c3d3bb7f39733d83',
  external_id: 'testing-invoice',
  user_id: '5848fdf860053555135587e7',
  status: 'PAID',
  merchant_name: 'Xendit',
  amount: 2_000_000,
  paid_amount: 2_000_000,
  currency: 'IDR',
  paid_at: '2020-01-14T02:32:50.912Z',
  payment_method: 'RETAIL_OUTLET',
  payment_channel: 'ALFAMART',
  created: '2020-01-13T02:32:49.827Z',
}

const interpret = async (body: object) => {
  const { provider } = await speakWith('xendit', conversation)
  const rawBody = Buffer.from(JSON.stringify(body))
  const [event] = await provider.interpret({ method: 'POST', rawBody, headers: {}, rawQuery: '' })
  return event
}

describe('a published sample of xendit', () => {
  it('says that an invoice was paid', async () => {
    expect(await interpret(INVOICE)).toMatchObject({
      references: ['testing-invoice', INVOICE.id],
      statement: {
        kind: 'succeeded',
        money: { amount: 200_000_000, currency: 'IDR' },
        chargeId: INVOICE.id,
        at: '2020-01-14T02:32:50.912Z',
      },
    })
  })

  it.each([
    ['as in the SDK', REFUND],
    ['as on the page of refund webhooks', { event: 'refund.succeeded', data: REFUND }],
  ])('says that a refund succeeded: %s', async (_, data) => {
    expect(await interpret({ event: 'refund.succeeded', data })).toMatchObject({
      references: [REFUND.payment_id, REFUND.id],
      statement: {
        kind: 'refund',
        state: 'succeeded',
        providerRefundId: REFUND.id,
        money: { amount: 1_000_000, currency: 'PHP' },
      },
    })
  })

  it('a listed refund names neither the invoice nor a state: it is a pending one of the invoice asked about', async () => {
    const list = 'GET /refunds?invoice_id=6735&limit=100'
    const refunds = [LISTED, { ...LISTED, id: 'rfd-2', failure_code: 'ACCOUNT_NOT_FOUND' }]
    const script = { [SEARCH]: [{ ...paid, id: '6735' }], [list]: { data: refunds, has_more: false } }
    const { provider } = await speakWith('xendit', { script })
    const payment = { ...paymentOf(conversation), references: ['6735'] }
    expect(await provider.readPayment?.({ references: ['6735'], payment })).toMatchObject({
      refunds: [
        { providerRefundId: LISTED.id, state: 'pending', chargeId: '6735', at: '2023-01-24T07:05:07.859Z' },
        { providerRefundId: 'rfd-2', state: 'failed', chargeId: '6735' },
      ],
    })
  })
})
