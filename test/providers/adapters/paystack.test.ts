import { describe, expect, it } from 'vitest'
import type { PaymentStatus } from '#lib/payments/state/payment-status'
import { ID } from './example.ts'
import { example } from './examples/paystack.ts'
import { paymentOf, speakWith } from './speak.ts'

const TRANSACTION = 5_991_760
const REFERENCE = ID.replace('_', '-')

/** Paystack's own samples (PaystackOSS/doc-code-snippets, dist/api), their unused fields left out. */
const VERIFIED = {
  id: TRANSACTION,
  status: 'success',
  reference: REFERENCE,
  amount: 40_333,
  gateway_response: 'Successful',
  paid_at: '2024-08-22T09:15:02.000Z',
  created_at: '2024-08-22T09:14:24.000Z',
  currency: 'NGN',
  metadata: '',
  fees: 10_283,
}
const REFUND = {
  id: 1,
  domain: 'live',
  transaction: TRANSACTION,
  dispute: null,
  amount: 500_000,
  deducted_amount: 500_000,
  currency: 'NGN',
  channel: 'migs',
  fully_deducted: 1,
  refunded_at: '2018-01-12T10:54:47.000Z',
  settlement: null,
  customer_note: 'xxx',
  merchant_note: 'xxx',
  created_at: '2017-09-24T21:10:59.000Z',
  updated_at: '2018-01-18T11:59:56.000Z',
  status: 'processed',
}
const DISPUTE = {
  id: 624,
  currency: 'NGN',
  refund_amount: 1002,
  status: 'resolved',
  resolution: 'merchant-accepted',
  category: 'general',
  transaction: { id: TRANSACTION, reference: REFERENCE, amount: 39_100, currency: 'NGN' },
  resolvedAt: '2019-08-28T15:23:31.000Z',
  dueAt: null,
}

async function read(
  refunds: object[],
  disputes: object[],
  more: object = {},
  status: PaymentStatus = 'PENDING',
) {
  const script = {
    [`GET /transaction/verify/${REFERENCE}`]: { status: true, data: { ...VERIFIED, ...more } },
    [`GET /refund?transaction=${TRANSACTION}&from=2024-08-22&perPage=100&page=1`]: { data: refunds },
    [`GET /dispute?transaction=${TRANSACTION}&perPage=100&page=1`]: { data: disputes },
  }
  const { provider } = await speakWith('paystack', { script })
  return provider.readPayment?.({ references: [ID], payment: { ...paymentOf(example.conversation), status } })
}

describe('a transaction of paystack', () => {
  it('is read as its published samples show it', async () => {
    expect(await read([REFUND], [])).toMatchObject({
      charges: [{ money: { amount: 40_333, currency: 'NGN' }, chargeId: String(TRANSACTION) }],
      refunds: [{ providerRefundId: '1', state: 'succeeded', at: '2017-09-24T21:10:59.000Z' }],
      fees: [{ money: { amount: 10_283, currency: 'NGN' } }],
    })
  })

  it('loses the money of an accepted dispute once, though the list of refunds shows it, too', async () => {
    const settled = { ...REFUND, dispute: DISPUTE.id, amount: DISPUTE.refund_amount }
    expect(await read([settled, { ...REFUND, id: 2, dispute: 1 }], [DISPUTE])).toMatchObject({
      refunds: [{ providerRefundId: '2' }],
      disputes: [{ disputeId: '624', state: 'lost', money: { amount: 1002, currency: 'NGN' } }],
    })
  })

  const REVERSED = { status: 'reversed' }
  it('is disputed and needs someone when it is reversed without a refund or a dispute', async () => {
    expect(await read([], [], REVERSED)).toMatchObject({
      charges: [{ kind: 'succeeded' }],
      disputes: [{ disputeId: String(TRANSACTION), chargeId: String(TRANSACTION), state: 'open' }],
    })
  })

  it('is no dispute of its own when a refund or a dispute explains its reversal, also one that was listed late', async () => {
    expect(await read([REFUND], [], REVERSED)).toMatchObject({ disputes: [] })
    expect(await read([], [DISPUTE], REVERSED)).toMatchObject({ disputes: [{ disputeId: '624' }] })
    expect(await read([REFUND], [], REVERSED, 'DISPUTED')).toMatchObject({
      refunds: [{ state: 'succeeded' }],
      disputes: [{ disputeId: String(TRANSACTION), state: 'won' }],
    })
  })
})
