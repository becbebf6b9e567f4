import { randomUUID } from 'node:crypto'
import { signStandardWebhook } from '#lib/kernel/standard-webhooks'
import type { Agent } from './accounts.ts'
import { text } from './form.ts'
import type { Stage } from './stage.ts'

const PROVIDER = 'standard-webhooks'
const PRICE = { amount: 450_000, currency: 'XOF' }

/** A payment for a listing that its provider reports, one that is cancelled, and what administrators see of them. */
export async function pay(stage: Stage, { token }: Agent, listingId: string): Promise<void> {
  const { ask, consoleToken } = stage
  await ask('GET /payment-providers')
  await ask('GET /currencies')
  const paid = await startPayment(stage, token, listingId)
  await callBack(stage, paid)
  await ask('GET /payments/{id}', { token, params: { id: paid } })
  await ask('GET /payments', { token })
  await ask('GET /payments/{id}/receipt', { token, params: { id: paid } })
  await ask('GET /listings/{id}/payments', { token, params: { id: listingId } })
  const cancelled = await startPayment(stage, token, listingId)
  await ask('POST /payments/{id}/cancel', { token, params: { id: cancelled }, mayBeRefused: true })

  await ask('GET /admin/payments', { token: consoleToken })
  await ask('GET /admin/payments/{id}', { token: consoleToken, params: { id: paid } })
  const notifications = await ask('GET /admin/payments/notifications', {
    token: consoleToken,
    query: { provider: PROVIDER },
  })
  await ask('POST /admin/payments/notifications/{id}/replay', {
    token: consoleToken,
    params: { id: text(notifications, 'items', '0', 'id') },
    body: { dryRun: true },
  })
  await ask('POST /payments/{id}/refunds', {
    token: consoleToken,
    params: { id: paid },
    headers: { 'idempotency-key': randomUUID() },
    body: {},
    mayBeRefused: true,
  })
}

async function startPayment({ ask }: Stage, token: string, listingId: string): Promise<string> {
  const payment = await ask('POST /payments', {
    token,
    headers: { 'idempotency-key': randomUUID() },
    body: { provider: PROVIDER, ...PRICE, purpose: 'deposit', listingId },
  })
  return text(payment, 'id')
}

async function callBack({ ask, webhookSecret }: Stage, paymentId: string): Promise<void> {
  const data = { id: randomUUID(), reference: paymentId, ...PRICE, status: 'succeeded' }
  const body = { type: 'payment.succeeded', timestamp: new Date().toISOString(), data }
  const headers = signStandardWebhook([webhookSecret], {
    id: `msg_${randomUUID()}`,
    sentAtSeconds: Math.floor(Date.now() / 1000),
    rawBody: Buffer.from(JSON.stringify(body)),
  })
  await ask('POST /payments/callback/{provider}', { params: { provider: PROVIDER }, headers, body })
}
