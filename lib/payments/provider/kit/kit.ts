import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import * as z from 'zod'
import { Timestamp, timestamp } from '#lib/kernel/clock'
import { RefundId } from '#lib/kernel/id'
import { Currency, exponentOf, Money, rescale } from '#lib/kernel/money'
import { isProviderId, Statement } from '#lib/payments/fact'
import type { CallbackAnswer, ProviderEvent, StartedRefund } from '#lib/payments/provider/provider'

/** A key or password. Pasted white space is cut off; what is empty then is refused, since an empty key signs. */
export const secret = z.string().trim().min(1).max(4096)

/** The live secrets of a provider's signatures, at least one: each is accepted, so that they can rotate. */
export const secrets = z.array(secret).min(1)

/** Where a provider's API answers; a test points it at a stand-in. */
export const apiBase = (address: string) =>
  z
    .url({ protocol: /^https?$/ })
    .default(address)
    .transform((url) => url.replace(/\/+$/, ''))

/** The acknowledgement of providers that ask for nothing but a 2xx. */
export const ACKNOWLEDGED: CallbackAnswer = {
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: '{"received":true}',
}

/** Whether two texts are the same, in a time that tells nothing of where they differ. */
export function sameText(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)]
  return first.length === second.length && timingSafeEqual(first, second)
}

/** The HMAC of the parts put together. The key is taken as it is; decode it first where the scheme says so. */
export function hmac(
  algorithm: 'sha256' | 'sha512',
  key: string | Buffer,
  parts: readonly (string | Buffer)[],
  encoding: 'hex' | 'base64',
): string {
  const digest = createHmac(algorithm, key)
  for (const part of parts) digest.update(part)
  return digest.digest(encoding)
}

/** The value of a JSON body, undefined when it is none. Only ever of bytes that were verified. */
export function jsonOf(rawBody: Buffer): unknown {
  try {
    return JSON.parse(rawBody.toString('utf8'))
  } catch {
    return undefined
  }
}

/** What one event tells, apart from its identity. Empty and over-long references are left out. */
export type Told = { references: readonly unknown[]; statement: Statement | null }

/** What a value tells, read through the schema of the fields we use; a fault names fields, not their contents. */
export function told<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  tell: (value: z.output<Schema>) => Told,
): Told | { fault: string } {
  const parsed = schema.safeParse(value)
  return parsed.success ? tell(parsed.data) : { fault: faultOf(parsed.error) }
}

/**
 * Puts an event together from its identity and what was told. What could be kept, but not be read again, is a fault:
 * one such statement would make its whole payment unreadable.
 */
export function eventOf(
  identity: { eventId: string; type: string },
  told: Told | { fault: string },
): ProviderEvent {
  const event = { eventId: boundedId(identity.eventId), type: clipped(identity.type, '', TYPE_LIMIT) }
  const read = 'fault' in told ? told : readable(told)
  if ('fault' in read) return { ...event, references: [], statement: null, fault: read.fault }
  return { ...event, references: referencesOf(read.references), statement: read.statement }
}

function readable(told: Told): Told | { fault: string } {
  const parsed = Statement.nullable().safeParse(told.statement)
  if (!parsed.success) return { fault: faultOf(parsed.error) }
  const id = idIn(parsed.data)
  return id === null || isProviderId(id)
    ? told
    : { fault: `The id of the ${parsed.data?.kind} cannot be kept` }
}

function idIn(statement: Statement | null): string | null {
  if (statement?.kind === 'dispute') return statement.disputeId
  return statement?.kind === 'refund' ? statement.providerRefundId : null
}

/** An id that a provider chose, or its hash where it cannot be kept as it is. */
export const boundedId = (id: string): string => (isProviderId(id) ? id : sha256(id))

/** An event that concerns no payment of ours. */
export const NOTHING: Told = { references: [], statement: null }

/** What a table of ours holds under a provider's word: never what every object has, such as `constructor`. */
export const entryOf = <Value>(table: Partial<Record<string, Value>>, word: Text): Value | undefined =>
  typeof word === 'string' && Object.hasOwn(table, word) ? table[word] : undefined

/** What a type of event states of what it is about. */
export type Tell<Subject> = (subject: Subject, at: Timestamp) => Statement | null

/** The event that a provider's table of its types makes of a value; a type that is not in it concerns no payment. */
export function tabled<Schema extends z.ZodType>(
  table: Partial<Record<string, Tell<z.output<Schema>>>>,
  { type, eventId, at }: { type: string; eventId: string; at: Timestamp },
  { schema, value, references }: Subject<Schema>,
): ProviderEvent {
  const tell = entryOf(table, type)
  if (!tell) return eventOf({ eventId, type }, NOTHING)
  const made = (subject: z.output<Schema>) => ({
    references: references(subject, type),
    statement: tell(subject, at),
  })
  return eventOf({ eventId, type }, told(schema, value, made))
}

type Subject<Schema extends z.ZodType> = {
  schema: Schema
  value: unknown
  references: (subject: z.output<Schema>, type: string) => readonly unknown[]
}

/** A verified body that is not what the provider documents. It is kept under its own hash. */
export const unreadable = (rawBody: Buffer, error: z.ZodError): ProviderEvent => ({
  eventId: sha256(rawBody),
  type: 'unreadable',
  references: [],
  statement: null,
  fault: faultOf(error),
})

const TYPE_LIMIT = 200
const TEXT_LIMIT = 500

const referencesOf = (values: readonly unknown[]): string[] => {
  const texts = values.map((value) => (typeof value === 'number' ? String(value) : value))
  return [...new Set(texts.filter(isProviderId))]
}

const faultOf = (error: z.ZodError): string =>
  error.issues
    .map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`)
    .join('; ')
    .slice(0, TEXT_LIMIT)
    .toWellFormed()

/** The hash of a text or a body, in hex. */
export const sha256 = (value: string | Buffer): string => createHash('sha256').update(value).digest('hex')

/**
 * An amount that a provider counts in units of `exponentAt(currency)` decimals, as our money. Null when the
 * currency is unknown, or the amount is no whole number of our minor units: it then matches no payment.
 */
export function moneyOf(
  amount: number | string | null | undefined,
  currencyCode: string | null | undefined,
  exponentAt: (currency: Currency) => number = exponentOf,
): Money | null {
  const currency = Currency.safeParse(currencyCode?.toUpperCase())
  const units = Number(amount ?? Number.NaN)
  if (!currency.success || !Number.isSafeInteger(units) || units < 0) return null
  const money = {
    amount: rescale(units, exponentAt(currency.data), exponentOf(currency.data)),
    currency: currency.data,
  }
  return Money.safeParse(money).data ?? null
}

type Moment = number | string | null | undefined

/** A moment that a provider names, in Unix seconds or as text; null when it names none that can be read. */
export function namedMoment(value: Moment): Timestamp | null {
  const moment = typeof value === 'number' ? new Date(value * 1000) : new Date(value ?? Number.NaN)
  return Timestamp.safeParse(Number.isNaN(moment.getTime()) ? '' : moment.toISOString()).data ?? null
}

/** The same; `otherwise` when it names none. */
export const momentOf = (value: Moment, otherwise: Date): Timestamp =>
  namedMoment(value) ?? timestamp(otherwise)

type Text = string | null | undefined

/** A provider's text cut to what is kept of it, without the half character that a cut may leave. */
export const clipped = (value: Text, otherwise: string, limit = TEXT_LIMIT): string =>
  (value || otherwise).slice(0, limit).toWellFormed()

/** That a payment failed, for good unless told, with the provider's words for why. */
export const failed = (
  at: Timestamp,
  { final = true, code, message }: { final?: boolean; code?: Text; message?: Text } = {},
): Statement => ({
  kind: 'failed',
  at,
  final,
  code: clipped(code, 'payment_failed'),
  message: clipped(message, 'The payment failed.'),
})

/** How a refund stands that the provider calls `id`; `ours` is what the provider repeats of our own id, if anything. */
export const refundOf = (
  at: Timestamp,
  { id, money, state, reason, ours }: StartedRefundOf & { reason?: Text; ours?: Text },
): Statement => ({
  kind: 'refund',
  at,
  money,
  state,
  providerRefundId: id || null,
  refundId: RefundId.safeParse(ours).data ?? null,
  reason: reason?.toWellFormed() ?? null,
})

type StartedRefundOf = { id: string | null; money: Money | null; state: StartedRefund['state'] }
