import { describe, expect, it } from 'vitest'
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
  ])('is told by each kind of event: %s', async (type, stands, state) => {
    const { provider } = await speakWith('square', conversation)
    const data = { type: 'dispute', id: ID, object: { dispute: { ...ABOUT, ...stands } } }
    const rawBody = Buffer.from(JSON.stringify({ event_id: 'e1', type, data }))
    const events = await provider.translate({ method: 'POST', headers: {}, rawQuery: '', rawBody })
    expect(events).toMatchObject([
      {
        references: ['fbmsaEOpoARDKxiSGH1fqPuqoqFZY'],
        statement: { kind: 'dispute', disputeId: ID, state, money: { amount: 8_801, currency: 'USD' } },
      },
    ])
  })
})
