import * as z from 'zod'
import { timestamp } from '#lib/kernel/clock'
import { AMOUNT_LIMIT, type Currency } from '#lib/kernel/money'
import * as signatures from '#lib/kernel/signatures'
import type { Statement } from '#lib/payments/state/fact'
import type { PaymentReading } from '#lib/payments/state/reading'
import * as amounts from '../kit/amounts.ts'
import * as wire from '../kit/api.ts'
import * as settings from '../kit/config.ts'
import * as events from '../kit/events.ts'
import { namesOf } from '../kit/payers.ts'
import * as statements from '../kit/statements.ts'
import { defineProvider, type PaymentOrder, type ProviderEvent } from '../provider.ts'

const config = z.object({
  apiKey: settings.secret,
  /** No secret, but checked like one: it must not be empty. */
  siteId: settings.identifier,
  webhookSecrets: settings.secrets,
  apiBase: settings.apiBase('https://api-checkout.cinetpay.com'),
})

/** The fields whose decoded values `x-token` signs, one after the other, in this order. */
const SIGNED_FIELDS = [
  'cpm_site_id',
  'cpm_trans_id',
  'cpm_trans_date',
  'cpm_amount',
  'cpm_currency',
  'signature',
  'payment_method',
  'cel_phone_num',
  'cpm_phone_prefixe',
  'cpm_language',
  'cpm_version',
  'cpm_payment_config',
  'cpm_page_action',
  'cpm_custom',
  'cpm_designation',
  'cpm_error_message',
] as const

const Form = z.object({
  cpm_trans_id: z.string().min(1).max(255),
  cpm_trans_date: z.string().default(''),
  cpm_amount: z.string(),
  cpm_currency: z.string(),
  cpm_error_message: z.string().default(''),
})

const text = z.string().nullish()
const Started = z
  .object({ code: z.literal('201'), data: z.object({ payment_url: z.url() }) })
  .transform(({ data }) => ({ url: data.payment_url, expiresAt: null, references: [] }))
const Reason = z
  .object({ code: z.union([z.string(), z.number()]).nullish(), message: text, description: text })
  .transform(({ code, message, description }) => ({ code, message: description || message }))

/** The answer to a check, with numbers as their text. */
const Checked = z.object({
  code: z.string(),
  message: text,
  data: z.object({ status: text, amount: text, currency: text, operator_id: text }).nullish(),
})

const formOf = (rawBody: Buffer): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(rawBody.toString('utf8')))

/** Returns the header that CinetPay sends with a form. A field that is absent counts as empty: that is our assumption. */
export function cinetpaySignature(secret: string, rawBody: Buffer): string {
  const form = formOf(rawBody)
  const signed = SIGNED_FIELDS.map((field) => form[field] ?? '').join('')
  return signatures.hmac('sha256', secret, [signed], 'hex')
}

/**
 * Interprets a callback as a claim, which the check then confirms or not. A waiting transaction only points at the
 * payment.
 */
function interpret(rawBody: Buffer, now: Date): ProviderEvent {
  const form = Form.safeParse(formOf(rawBody))
  if (!form.success) return events.unreadableEvent(rawBody, form.error)
  const { cpm_trans_id: id, cpm_trans_date, cpm_amount, cpm_currency, cpm_error_message: reason } = form.data
  const eventId = [id, reason, cpm_trans_date, cpm_amount, cpm_currency].join(':')
  const statementOf = (): Statement | null => {
    const money = amounts.decimalMoneyOf(cpm_amount, cpm_currency)
    // CinetPay spells it so.
    if (reason === 'SUCCES') return statements.chargeOf(timestamp(now), { id, money })
    if (reason.startsWith('WAITING')) return null
    // Only the check tells whether the payment itself failed.
    return statements.failureOf(timestamp(now), { final: false, code: reason })
  }
  return events.eventOf(
    { eventId, type: reason || 'notification' },
    { references: [id], statement: statementOf() },
  )
}

const CANCELLED = '627'

/** Interprets a checked transaction. Its id, which is ours, is good for one charge. */
function readingOf(id: string, { code, message, data }: z.infer<typeof Checked>, now: Date): PaymentReading {
  const at = timestamp(now)
  const { status, amount, currency, operator_id } = data ?? {}
  const reading = { references: [id, operator_id] }
  if (code === '00' && status === 'ACCEPTED') {
    const money = amounts.decimalMoneyOf(amount, currency)
    return statements.readingOf({ ...reading, charges: [statements.chargeOf(at, { id, money })] })
  }
  if (status !== 'REFUSED') return statements.readingOf(reading)
  const failed = statements.failureOf(at, { code: message || code })
  return statements.readingOf({
    ...reading,
    charges: [code === CANCELLED ? { kind: 'cancelled', at } : failed],
  })
}

/**
 * The fields that the page needs for a card form: all of them, because a part is answered with 624 (CinetPay docs,
 * "Code table"), or none, and then the page shows the other methods. The payer's address and town are not known here:
 * the country stands for them.
 */
function customerOf({ name, email, phone, country }: PaymentOrder) {
  const { first, last } = namesOf(name)
  if (first === undefined || country === null) return {}
  return {
    customer_name: first,
    customer_surname: last ?? first,
    customer_email: email,
    customer_phone_number: phone ?? undefined,
    customer_address: country,
    customer_city: country,
    customer_country: country,
    customer_state: country,
  }
}

/**
 * Whether our key, site or subscription is refused, and not the payment. The meaning of 613 is not documented. 624 is any
 * other failure: a part of the card's fields, which also causes it, is never sent.
 */
const isAccountRefused = ({ body }: { body: string }): boolean =>
  /"code" ?: ?"?(609|613|624|625)"?/.test(body)

const CURRENCIES: readonly Currency[] = ['CDF', 'GNF', 'USD', 'XAF', 'XOF']

/** In francs. CinetPay docs, "SDK-ANDROID integration", which names no other limit. */
const LIMITS = { XOF: { min: 100, max: AMOUNT_LIMIT } }

/**
 * CinetPay's page, version 2. Callbacks are forms whose `x-token` is an HMAC-SHA256 over sixteen values without a
 * separator, as documented. Every callback is confirmed with a check, as the documentation demands; a `GET` to the same
 * address is answered. The fields of a start and the codes are documented: try them with a test site first, and ask
 * CinetPay whether its newer host applies to you. A payment's id can be used once, so an answer that was lost leaves
 * the payment to expire. It offers no refunds, and nothing to close a page with.
 */
export const provider = defineProvider({
  config,
  open: ({ apiKey, siteId, webhookSecrets, apiBase }, { http, now, publicUrl, callbackUrl }) => {
    const api = wire.jsonApi(http, `${apiBase}/v2`, {})
    return {
      currencies: CURRENCIES,
      limits: LIMITS,
      countries: ['BF', 'BJ', 'CD', 'CI', 'CM', 'GN', 'ML', 'NE', 'SN', 'TG'],
      callbackMethods: ['POST', 'GET'],
      acknowledgement: { status: 200, headers: { 'content-type': 'text/plain' }, body: 'OK' },
      verify: ({ headers, rawBody }) => {
        const sign = (secret: string) => cinetpaySignature(secret, rawBody)
        // Not `signed`: the signature does not cover every field.
        return signatures.isMadeByAny(headers['x-token'], webhookSecrets, sign) ? 'sender' : 'forged'
      },
      interpret: ({ rawBody }) => [interpret(rawBody, now())],
      refuses: (order) => {
        const units = amounts.decimalTextOf(order, 0)
        if (units === undefined) return 'must be a whole number of units'
        return order.currency !== 'USD' && !/[05]$/.test(units) ? 'must be a multiple of 5' : undefined
      },
      start: async (order) => {
        const answer = await api.post('/payment', {
          apikey: apiKey,
          site_id: siteId,
          transaction_id: order.id,
          amount: Number(amounts.decimalTextOf(order, 0)),
          currency: order.currency,
          description: order.purpose,
          notify_url: callbackUrl,
          return_url: order.returnUrl ?? publicUrl,
          channels: 'ALL',
          metadata: order.id,
          ...customerOf(order),
        })
        const refused = wire.refusalOf(answer, Reason)
        if (refused && !isAccountRefused(answer)) return refused
        // Throws `provider_unavailable` for an answer without a page, such as one that refuses our account.
        return wire.readAnswerWithTextNumbers(Started, answer)
      },
      readPayment: async ({ references, payment }) => {
        const id = payment?.id ?? references[0] ?? ''
        const request = { apikey: apiKey, site_id: siteId, transaction_id: id }
        const answer = await api.post('/payment/check', request, undefined, wire.RETRY)
        if (answer.status === 404) return null
        // The body describes the payment, with any status.
        const checked = wire.readAnswerWithTextNumbers(Checked, { ...answer, status: 200 })
        return checked.data ? readingOf(id, checked, now()) : null
      },
    }
  },
})
