import { expect, it } from 'vitest'
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
