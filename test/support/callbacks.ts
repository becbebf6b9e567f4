import { randomUUID } from 'node:crypto'
import { spec } from '#functions/payments/payment-callback'
import { signStandardWebhook } from '#lib/kernel/signatures'
import { paystackSignature } from '#lib/providers/adapters/paystack'
import { stripeSignature } from '#lib/providers/adapters/stripe'
import { STANDARD_SECRET } from '#test/providers/adapters/example'
import { call } from './call.ts'
import { PAYSTACK_KEY, STRIPE_SECRET, testProviders } from './providers.ts'

const nowSeconds = () => Math.floor(Date.now() / 1000)

/** A callback, signed as its provider would. */
export type SignedCallback = { provider: string; headers: Record<string, string>; rawBody: string }

/** Signs an event as Stripe would. */
export function fromStripe(event: object): SignedCallback {
  const rawBody = JSON.stringify(event)
  const headers = { 'stripe-signature': stripeSignature(STRIPE_SECRET, Buffer.from(rawBody), nowSeconds()) }
  return { provider: 'stripe', headers, rawBody }
}

/** Signs an event as Paystack would. */
export function fromPaystack(event: object): SignedCallback {
  const rawBody = JSON.stringify(event)
  return {
    provider: 'paystack',
    headers: { 'x-paystack-signature': paystackSignature(PAYSTACK_KEY, Buffer.from(rawBody)) },
    rawBody,
  }
}

type Message = { id?: string; timestamp?: string }

/** Signs a message as one's own gateway would; its id, and ids of money that it leaves out, are new unless told. */
export function fromGateway(
  type: string,
  data: object,
  { id = `msg_${randomUUID()}`, timestamp = new Date().toISOString() }: Message = {},
): SignedCallback {
  return signedByGateway({ type, timestamp, data: { ...defaultsOf(type, id), ...data } }, id)
}

/** Signs any body's own gateway would. */
export function signedByGateway(body: unknown, id = `msg_${randomUUID()}`): SignedCallback {
  const rawBody = typeof body === 'string' ? body : JSON.stringify(body)
  const message = { id, sentAtSeconds: nowSeconds(), rawBody: Buffer.from(rawBody) }
  return { provider: 'standard-webhooks', headers: signStandardWebhook([STANDARD_SECRET], message), rawBody }
}

/** What a message has where a test says nothing of it. */
function defaultsOf(type: string, id: string): object {
  if (type === 'payment.succeeded') return { id: `txn_${id}`, reference: 'of no payment' }
  if (type === 'payment.refunded') return { refund_id: `refund_${id}`, status: 'succeeded' }
  return type === 'payment.disputed' ? { dispute_id: `dispute_${id}`, status: 'opened' } : {}
}

/** Delivers a callback through the whole stack of the endpoint. */
export const deliver = ({ provider, headers, rawBody }: SignedCallback, deps: Record<string, unknown> = {}) =>
  call(spec, { params: { provider }, headers, rawBody, deps: { providers: testProviders(), ...deps } })
