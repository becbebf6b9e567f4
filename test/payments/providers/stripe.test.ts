import { describe, expect, it } from 'vitest'
import { ID } from './example.ts'
import { example } from './examples/stripe.ts'
import { paymentOf, speakWith } from './speak.ts'

const { conversation } = example
const UNPAID = {
  id: 'cs_1',
  status: 'complete',
  payment_status: 'unpaid',
  client_reference_id: ID,
  payment_intent: 'pi_1',
}

const told = async (type: string, object: object) => {
  const { provider } = await speakWith('stripe', conversation)
  const rawBody = Buffer.from(JSON.stringify({ id: 'evt_1', type, created: 1_795_000_000, data: { object } }))
  const events = await provider.translate({ method: 'POST', headers: {}, rawQuery: '', rawBody })
  return events[0]?.statement
}

describe('a try to pay at stripe', () => {
  const intent = { id: 'pi_1', latest_charge: 'ch_1' }

  it('is known by its charge, so that its failure ends it and no other', async () => {
    expect(await told('payment_intent.processing', intent)).toMatchObject({
      kind: 'processing',
      tryId: 'ch_1',
    })
    expect(await told('payment_intent.payment_failed', intent)).toMatchObject({
      kind: 'failed',
      final: false,
      tryId: 'ch_1',
    })
  })
})

describe('a delayed payment of stripe', () => {
  it.each([
    [{ status: 'processing' }, { kind: 'processing' }],
    [
      {
        status: 'requires_payment_method',
        last_payment_error: { code: 'payment_intent_payment_attempt_failed', message: 'The debit failed.' },
      },
      { kind: 'failed', final: true, code: 'payment_intent_payment_attempt_failed' },
    ],
  ])('goes by its intent, since its session stays complete and unpaid: %j', async (intent, charge) => {
    const { provider } = await speakWith('stripe', conversation, {
      'GET /v1/checkout/sessions/cs_1': UNPAID,
      'GET /v1/payment_intents/pi_1': { id: 'pi_1', ...intent },
    })
    const payment = paymentOf(conversation)
    const reading = await provider.readPayment?.({ references: payment.references, payment })
    expect(reading).toMatchObject({ references: [ID, 'cs_1', 'pi_1'], charges: [charge] })
  })
})
