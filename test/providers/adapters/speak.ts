import { afterEach, expect } from 'vitest'
import { timestamp } from '#lib/kernel/clock'
import { providerHttp } from '#lib/providers/http'
import type { KnownPayment, PaymentOrder, PaymentProvider, RefundOrder } from '#lib/providers/provider'
import { SETTINGS } from '#test/support/providers'
import { type StandIn, type StandInAnswer, type StandInRequest, startStandIn } from '#test/support/stand-in'
import { type Conversation, EXPIRES_AT, ID, KEY, NOW, REFUND, type Script } from './example.ts'

let open: StandIn[] = []
afterEach(() => {
  for (const api of open) api.close()
  open = []
})

/** A provider whose API answers by a script; `down` is a status with which it answers everything. */
export async function speakWith(
  name: string,
  { script }: Pick<Conversation, 'script'>,
  changes: Script = {},
  down?: number,
  settings: object = {},
) {
  const api = await startStandIn((request) =>
    down === undefined ? answerOf({ ...script, ...changes }, request) : { status: down, json: {} },
  )
  open.push(api)
  const module: { provider: { open: (config: unknown, tools: object) => PaymentProvider } } = await import(
    `../../../lib/providers/adapters/${name}.ts`
  )
  const tools = {
    http: providerHttp,
    now: () => NOW,
    publicUrl: 'https://api.platform.test',
    callbackUrl: `https://api.platform.test/payments/callback/${name}`,
  }
  return { provider: module.provider.open({ ...SETTINGS[name], ...settings, apiBase: api.url }, tools), api }
}

function answerOf(script: Script, { method, path }: StandInRequest): StandInAnswer {
  const answer = script[`${method} ${path}`]
  if (answer === undefined) return undefined
  return typeof answer === 'object' &&
    answer !== null &&
    typeof (answer as { status?: unknown }).status === 'number'
    ? (answer as { status: number })
    : { json: answer }
}

/** Expects that a request was sent with its key and at least these fields of its body, be that JSON or a form. */
export function expectSent(
  { requests }: StandIn,
  method: string,
  { at, key, body = {} }: Conversation['start'],
): void {
  const request = requests.find((each) => each.method === method && each.path === at)
  expect(request, `${method} ${at}`).toBeDefined()
  if (key) expect(request?.headers[key[0]]).toBe(key[1])
  const isForm = request?.headers['content-type']?.includes('form')
  const text = request?.body || '{}'
  expect(isForm ? Object.fromEntries(new URLSearchParams(text)) : JSON.parse(text)).toMatchObject(body)
}

/** What the provider is asked to start. */
export const orderOf = ({ amount, currency }: Conversation): PaymentOrder => ({
  id: ID,
  amount,
  currency,
  purpose: 'deposit',
  phone: '+254708374149',
  returnUrl: `https://market.example/paid?payment=${ID}`,
  email: 'buyer@example.test',
  name: 'Awa Koné',
  country: 'CI',
  expiresAt: EXPIRES_AT as PaymentOrder['expiresAt'],
})

/** The payment of a conversation, once it is paid. */
export const paymentOf = ({ amount, currency, references, url }: Conversation): KnownPayment => ({
  id: ID,
  amount,
  currency,
  phone: '+254708374149',
  references,
  checkout: { url, expiresAt: timestamp(new Date(EXPIRES_AT)) },
  status: 'PENDING',
  createdAt: timestamp(NOW),
  expiresAt: timestamp(new Date(EXPIRES_AT)),
})

/** What the provider is asked to give back. */
export const refundOf = (conversation: Conversation): RefundOrder => ({
  id: REFUND,
  key: KEY,
  payment: { ...paymentOf(conversation), status: 'SUCCEEDED' },
  chargeId: conversation.refund?.chargeId ?? null,
  amount: conversation.refund?.amount ?? 0,
  currency: conversation.currency,
  reason: null,
})
