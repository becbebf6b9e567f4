import { newId } from '#lib/kernel/id'
import type { Currency } from '#lib/kernel/money'

/** Our ids in every conversation. */
export const ID = newId('payment')
export const REFUND = newId('refund')
/** The provider's idempotency key of the refund's second attempt. */
export const KEY = `${REFUND}-2`
/** Our id in the documented samples. */
export const REF = 'mkt_pay_7f3a2c91'
export const PAGE = 'https://pay.example/1'
/** What conversations are asked to end at: 24 h after `NOW`. */
export const NOW = new Date('2026-11-20T12:00:00Z')
export const EXPIRES_AT = '2026-11-21T12:00:00.000Z'

export const STANDARD_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

type Sent = { headers: Record<string, string>; rawBody: string }

/** What a provider's API answers, by method and path: JSON, or a status with it. Everything else is a 404. */
export type Script = Record<string, { status: number; json?: unknown } | unknown>

/** A request as it should be sent: the place, the header and value of its idempotency key, and the body's fields. */
type Request = { at: string; key?: readonly [string, string]; body?: object }

/** One payment's whole life in requests and answers. */
export type Conversation = {
  currency: Currency
  amount: number
  /** What the payment is known by, once it has been paid. */
  references: string[]
  /** Where the page is; null for those that ask on the phone. */
  url: string | null
  script: Script
  start: Request & { expiresAt?: string | null }
  /** How the provider refuses a start for good; absent where its documents name no refusal. */
  refusal?: { answer: { status: number; json: unknown }; providerCode: string | null }
  /** How the provider answers for a payment that it does not know, where that is no 404. */
  unknown?: Script
  /** What `readPayment` says, in part; absent where the provider cannot be read. */
  reading?: { charges?: object[]; refunds?: object[]; disputes?: object[]; fees?: object[] }
  /** What `capture` sends, and how an approved payment reads; absent where the payer's approval is the money. */
  capture?: Request & { approved: Script }
  /** What `startRefund` sends and answers; absent where refunds are made at the provider. */
  refund?: Request & {
    amount: number
    chargeId: string | null
    answers: { state: string; providerRefundId: string | null }
  }
  /**
   * What `close` sends, which answers differ where nobody has paid, and which mean that the page is still open; absent
   * where the API cannot close.
   */
  close?: Request & { method: string; unpaid?: Script; open?: Script }
}

/** What is known of a provider from its documents. The tests fail for a provider without one. */
export type ProviderExample = {
  /** The settings under which tests switch the provider on. */
  settings: object
  /** The settings for a signature vector, where its secrets are not simply `webhookSecrets`. */
  configured?: (secrets: string[], vector: { url?: string; webhookId?: string }) => object
  /** How the provider signs a sample; `unsigned` where it signs nothing. */
  sign: ((secret: string, sample: unknown, sentAtSeconds: number) => Sent) | 'unsigned'
  /** The setting that holds the current secret, where that is not `webhookSecrets`. */
  secretKey?: string
  /** A documented sample by its name in the vectors' file, its first statement, and whom it names. */
  samples: [name: string, statement: object | null, references: string[]][]
  conversation: Conversation
}

/** Signs by one header over the raw body. */
export const inHeader =
  (header: string, sign: (secret: string, rawBody: Buffer, sentAtSeconds: number) => string) =>
  (secret: string, sample: unknown, sentAtSeconds: number): Sent => {
    const rawBody = JSON.stringify(sample)
    return { rawBody, headers: { [header]: sign(secret, Buffer.from(rawBody), sentAtSeconds) } }
  }
