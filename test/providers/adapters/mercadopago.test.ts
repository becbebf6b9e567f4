import { describe, expect, it } from 'vitest'
import { timestamp } from '#lib/kernel/clock'
import { ID, NOW, type Script } from './example.ts'
import { example } from './examples/mercadopago.ts'
import { expectSent, orderOf, paymentOf, refundOf, speakWith } from './speak.ts'

const { conversation } = example
const SEARCH = `GET /v1/payments/search?external_reference=${ID}&limit=50&offset=0`
const tried = (...results: object[]): Script => ({
  [SEARCH]: {
    results: results.map((each, place) => ({ id: 1311 + place, external_reference: ID, ...each })),
  },
})
const paid = { status: 'approved', transaction_amount: 125.5, currency_id: 'BRL' }

const open = { ...paymentOf(conversation), references: ['444-pref'] }
const over = { ...open, checkout: { url: null, expiresAt: timestamp(NOW) } }

const reading = async (changes: Script, payment: typeof open | null = open, references: string[] = []) => {
  const { provider } = await speakWith('mercadopago', { script: {} }, changes)
  return provider.readPayment?.({ references: [...(payment?.references ?? []), ...references], payment })
}

describe('a try on the page of mercadopago', () => {
  const rejected = { status: 'rejected', status_detail: 'cc_rejected_high_risk' }
  const lapsed = { status: 'cancelled', status_detail: 'expired' }

  it.each([
    ['was declined', rejected, [{ kind: 'failed', final: false, code: 'cc_rejected_high_risk' }]],
    ['lapsed', lapsed, []],
    ['waits', { status: 'pending' }, [{ kind: 'processing' }]],
  ])('ends nothing while the page is open: it %s', async (_, attempt, charges) => {
    expect(await reading(tried(attempt))).toMatchObject({ charges })
  })

  it.each([
    ['was declined', rejected, [{ kind: 'failed', final: true }]],
    ['lapsed', lapsed, [{ kind: 'expired' }]],
    ['was given up', { status: 'cancelled' }, [{ kind: 'cancelled' }]],
    ['waits', { status: 'pending' }, [{ kind: 'processing' }]],
  ])('says how the payment ended once the page has closed: it %s', async (_, attempt, charges) => {
    expect(await reading(tried(attempt), over)).toMatchObject({ charges })
  })

  it('makes a charge for each time that the payer paid', async () => {
    expect(await reading(tried(paid, rejected, paid))).toMatchObject({
      charges: [{ chargeId: '1311' }, { chargeId: '1313' }],
      references: [ID, '1311', '1313'],
    })
  })
})

describe('a payment that a callback of mercadopago names', () => {
  it('is the one that a claim is about', async () => {
    const named = {
      'GET /v1/payments/1401': { id: 1401, external_reference: ID, ...paid, status: 'in_mediation' },
      'GET /post-purchase/v1/claims/5017': {
        id: 5017,
        resource: 'payment',
        resource_id: 1401,
        stage: 'claim',
      },
      'GET /post-purchase/v1/claims/5018': { id: 5018, resource: 'order', resource_id: 9 },
    }
    expect(await reading({ ...tried(), ...named }, null, ['claim:5017'])).toMatchObject({
      references: [ID, '1401'],
      disputes: [{ state: 'open', chargeId: '1401' }],
    })
    expect(await reading(named, null, ['claim:5018'])).toBeNull()
  })

  it('is pointed at by a claim, by the one id that is signed', async () => {
    const { provider } = await speakWith('mercadopago', { script: {} })
    const rawBody = Buffer.from(JSON.stringify({ type: 'topic_claims_integration_wh', data: { id: '1' } }))
    const rawQuery = 'source_news=webhooks&data.id=5017&type=topic_claims_integration_wh'
    const events = await provider.interpret({ method: 'POST', headers: {}, rawBody, rawQuery })
    expect(events).toMatchObject([{ references: ['claim:5017'], statement: null }])
  })

  it('is reported by signed webhooks alone, not by the older messages', async () => {
    const { provider, api } = await speakWith('mercadopago', conversation)
    await provider.start(orderOf(conversation))
    const at = '/checkout/preferences'
    const notification_url = 'https://api.platform.test/payments/callback/mercadopago?source_news=webhooks'
    expectSent(api, 'POST', { at, body: { notification_url } })
  })

  it('is read where the search does not find it yet', async () => {
    const named = { 'GET /v1/payments/1400': { id: 1400, external_reference: ID, ...paid } }
    expect(await reading({ ...tried(), ...named }, open, ['1400'])).toMatchObject({
      charges: [{ kind: 'succeeded', chargeId: '1400' }],
    })
  })

  it('is no reading of this one when it is another', async () => {
    const another = { 'GET /v1/payments/1400': { id: 1400, external_reference: 'another', ...paid } }
    expect(await reading({ ...tried(), ...another }, open, ['1400'])).toBeNull()
  })
})

describe('the refunds of mercadopago', () => {
  it('are listed where the payment leaves them out', async () => {
    const refunded = { ...paid, refunds: [] }
    const listed = { 'GET /v1/payments/1311/refunds': [{ id: 9, amount: 0.5, status: 'approved' }] }
    expect(await reading({ ...tried(refunded), ...listed })).toMatchObject({
      refunds: [{ providerRefundId: '9', state: 'succeeded', chargeId: '1311' }],
    })
  })
})

describe('a refund of a Pix payment of mercadopago that takes its time', () => {
  // Documentation, "Refund of transactions with Pix": without the header the answer is 400, as to a refusal.
  it('is asked for with the header by which it answers that it is in process', async () => {
    const made = { 'POST /v1/payments/1311/refunds': { id: 9, amount: 0.5, status: 'in_process' } }
    const { provider, api } = await speakWith('mercadopago', { script: made })
    const order = { ...refundOf(conversation), chargeId: '1311' }
    expect(await provider.startRefund?.(order)).toEqual({ state: 'pending', providerRefundId: '9' })
    expect(api.requests[0]?.headers['x-render-in-process-refunds']).toBe('true')
  })
})

describe('a dispute of mercadopago', () => {
  const chargeback = { id: 'CB-1', payments: [1311], amount: 125.5, currency: 'BRL' }

  it.each([
    [null, 'open'],
    [true, 'won'],
    [false, 'lost'],
    ['true', 'won'],
    ['false', 'lost'],
  ])('is decided by its coverage: %s', async (coverage_applied, state) => {
    const answers = {
      ...tried({ ...paid, status: 'charged_back' }),
      'GET /v1/chargebacks/CB-1': { ...chargeback, coverage_applied },
    }
    expect(await reading(answers, open, ['chargeback:CB-1'])).toMatchObject({
      disputes: [{ disputeId: 'CB-1', state }],
    })
  })

  it('leads to a payment that is unknown here', async () => {
    const answers = {
      'GET /v1/chargebacks/CB-1': chargeback,
      'GET /v1/payments/1311': { id: 1311, external_reference: ID, ...paid, status: 'charged_back' },
    }
    expect(await reading(answers, null, ['chargeback:CB-1'])).toMatchObject({
      references: [ID, '1311'],
      disputes: [{ disputeId: 'CB-1' }],
    })
  })

  it('goes by its payment where it has no chargeback, until that payment is disputed no more', async () => {
    const mediation = tried({ ...paid, status: 'in_mediation' })
    expect(await reading(mediation)).toMatchObject({ disputes: [{ disputeId: '1311', state: 'open' }] })
    expect(await reading(tried(paid), { ...open, status: 'DISPUTED' })).toMatchObject({
      disputes: [{ disputeId: '1311', state: 'won' }],
    })
    expect(await reading(tried(paid))).toMatchObject({ disputes: [] })
  })

  it('is found after a mediation for as long as the payment is disputed here', async () => {
    const disputed = { ...open, status: 'DISPUTED' as const }
    const readAs = (status: string, coverage_applied: boolean | null) =>
      reading(
        {
          ...tried({ ...paid, status }),
          'GET /v1/chargebacks/search?payment_id=1311&limit=50&offset=0': {
            results: [{ ...chargeback, coverage_applied }],
          },
        },
        disputed,
      )
    for (const status of ['in_mediation', 'charged_back'])
      expect((await readAs(status, null))?.disputes).toMatchObject([{ disputeId: 'CB-1', state: 'open' }])
    expect((await readAs('approved', true))?.disputes).toMatchObject([{ disputeId: 'CB-1', state: 'won' }])
  })
})

describe('closing a page of mercadopago', () => {
  const answers = {
    ...tried({ status: 'pending' }),
    'PUT /checkout/preferences/444-pref': { id: '444-pref' },
  }

  it('takes back what the page has given out to be paid elsewhere', async () => {
    const { provider, api } = await speakWith(
      'mercadopago',
      { script: answers },
      { 'PUT /v1/payments/1311': {} },
    )
    expect(await provider.close?.(open)).toBe(true)
    expectSent(api, 'PUT', { at: '/v1/payments/1311', body: { status: 'cancelled' } })
  })

  it('has failed while something that it has given out cannot be taken back', async () => {
    const { provider } = await speakWith('mercadopago', { script: answers })
    expect(await provider.close?.(open)).toBe(false)
  })
})
