import { describe, expect, it } from 'vitest'
import { NOW, ID as OURS } from './example.ts'
import { example } from './examples/square.ts'
import { orderOf, paymentOf, speakWith } from './speak.ts'

const { conversation } = example

it('every request to square pins the version whose fields are read', async () => {
  const { provider, api } = await speakWith('square', conversation)
  const payment = paymentOf(conversation)
  await provider.start(orderOf(conversation))
  await provider.readPayment?.({ references: payment.references, payment })
  await provider.close?.(payment)
  expect(api.requests.length).toBeGreaterThan(5)
  for (const { headers } of api.requests) expect(headers['square-version']).toBe('2025-08-20')
})

/** Square's published API: the samples of its events about disputes, older ones included. */
const ABOUT = {
  amount_money: { amount: 8_801, currency: 'USD' },
  disputed_payment: { payment_id: 'fbmsaEOpoARDKxiSGH1fqPuqoqFZY' },
  due_at: '2020-03-04T00:00:00.000Z',
  reason: 'AMOUNT_DIFFERS',
}
const ID = 'ORSEVtZAJxb37RA1EiGw'

describe('a dispute of square', () => {
  it.each([
    ['dispute.created', { id: ID, state: 'EVIDENCE_REQUIRED' }, 'open'],
    ['dispute.state.updated', { id: ID, state: 'WON' }, 'won'],
    ['dispute.state.changed', { dispute_id: ID, state: 'WON' }, 'won'],
    ['dispute.evidence.added', { dispute_id: ID, state: 'PROCESSING' }, 'open'],
    ['dispute.state.updated', { id: ID, state: 'INQUIRY_CLOSED' }, 'won'],
  ])('is known by each kind of event: %s', async (type, stands, state) => {
    const { provider } = await speakWith('square', conversation)
    const data = { type: 'dispute', id: ID, object: { dispute: { ...ABOUT, ...stands } } }
    const rawBody = Buffer.from(JSON.stringify({ event_id: 'e1', type, data }))
    const events = await provider.interpret({ method: 'POST', headers: {}, rawQuery: '', rawBody })
    expect(events).toMatchObject([
      {
        references: ['fbmsaEOpoARDKxiSGH1fqPuqoqFZY'],
        statement: { kind: 'dispute', disputeId: ID, state, money: { amount: 8_801, currency: 'USD' } },
      },
    ])
  })
})

describe('an order of square', () => {
  it('is found by a payment of it, where the payment alone is known', async () => {
    const { provider } = await speakWith('square', conversation)
    const paid = 'sq1'
    const payment = { ...paymentOf(conversation), references: [paid] }
    expect(await provider.readPayment?.({ references: [paid], payment })).toMatchObject({
      charges: conversation.reading?.charges,
    })
  })

  it('is found by our id in the note of a payment, where the answer to its start was lost', async () => {
    const since = new URLSearchParams({ location_id: 'L1', begin_time: NOW.toISOString(), limit: '100' })
    const noted = { order_id: conversation.references[0], note: OURS }
    const { provider } = await speakWith('square', conversation, {
      [`GET /v2/payments?${since}`]: { payments: [{ order_id: 'another', note: 'by hand' }], cursor: 'c1' },
      [`GET /v2/payments?${since}&cursor=c1`]: { payments: [noted] },
    })
    const payment = { ...paymentOf(conversation), references: [] }
    expect(await provider.readPayment?.({ references: [OURS], payment })).toMatchObject({
      charges: conversation.reading?.charges,
    })
  })
})
