import { describe, expect, it } from 'vitest'
import { EXPIRES_AT, ID, PAGE } from './example.ts'
import { example } from './examples/xendit.ts'
import { orderOf, paymentOf, speakWith } from './speak.ts'

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

  it('that is open beside one that has expired leaves the payment open', async () => {
    const expired = { ...invoice, id: '6734', status: 'EXPIRED' }
    expect(await reading(expired)).toMatchObject({ charges: [{ kind: 'expired' }] })
    expect(await reading(expired, { ...invoice, id: '6735' })).toMatchObject({ charges: [] })
  })

  it('that is paid beside another is a charge of its own', async () => {
    expect(await reading({ ...paid, id: '6734' }, { ...paid, id: '6735', status: 'SETTLED' })).toMatchObject({
      charges: [{ chargeId: '6734' }, { chargeId: '6735' }],
      refunds: [],
    })
  })
})
