import { createHash } from 'node:crypto'
import * as z from 'zod'
import { DomainError } from '#lib/kernel/domain-error'
import { RefundId } from '#lib/kernel/id'
import { Currency, exponentOf, Money, rescale, toDecimalText, toMinorUnits } from '#lib/kernel/money'
import type {
  KnownPayment,
  ProviderEvent,
  ProviderHttp,
  ProviderRequest,
  StartedRefund,
} from '#lib/payments/provider/provider'
import { hmac, jsonOf, sameText } from './kit.ts'

/**
 * The value of a JSON body with every number as the text that was sent: an amount such as 1255.10 never
 * passes through a float, and an id longer than 15 digits stays what it is. Undefined when it is no JSON.
 */
export function exactJsonOf(body: Buffer | string): unknown {
  try {
    return JSON.parse(body.toString(), textOfNumbers)
  } catch {
    return undefined
  }
}

const textOfNumbers = (_: string, value: unknown, context?: { source: string }): unknown =>
  typeof value === 'number' ? (context?.source ?? String(value)) : value

/** A decimal amount in a currency's own unit (`125.50`) as our money. Null when it is none: it matches no payment. */
export function decimalMoneyOf(
  text: string | null | undefined,
  currencyCode: string | null | undefined,
): Money | null {
  const currency = Currency.safeParse(currencyCode?.toUpperCase())
  if (!currency.success) return null
  const amount = toMinorUnits(text ?? '', exponentOf(currency.data))
  return Money.safeParse({ amount, currency: currency.data }).data ?? null
}

/**
 * Our money as the decimal amount of a provider that writes a currency with `decimals` decimals. Undefined
 * where it holds a smaller part of the unit than that.
 */
export function decimalTextOf(
  { amount, currency }: Money,
  decimals = exponentOf(currency),
): string | undefined {
  const units = rescale(amount, exponentOf(currency), decimals)
  return units === undefined ? undefined : toDecimalText(units, decimals)
}

/** Currencies by their codes, with a space between them. */
export const currencies = (codes: string): Currency[] => z.array(Currency).parse(codes.split(' '))

/** Our money in the units of a provider that counts in `exponentAt(currency)` decimals; undefined for a part of one. */
export const unitsOf = (
  { amount, currency }: Money,
  exponentAt: (currency: Currency) => number,
): number | undefined => rescale(amount, exponentOf(currency), exponentAt(currency))

/** The values that a header such as `t=1,v1=a,v1=b` gives a name; what it calls otherwise is passed over. */
export const valuesOf = (header: string | undefined, name: string): string[] =>
  (header ?? '')
    .split(',')
    .map((part) => part.trim())
    .flatMap((part) => (part.startsWith(`${name}=`) ? part.slice(name.length + 1) : []))

/**
 * Whether a header `t=<Unix seconds>,v1=<hex>` is signed with HMAC-SHA256, by any of the secrets and no longer ago than
 * the tolerance. `signed` says what is, given the time. Several signatures may stand there, of secrets that rotate.
 */
export function isSignedInTime(
  header: string | undefined,
  signed: (sentAt: string) => readonly (string | Buffer)[],
  { secrets, now, toleranceSeconds }: { secrets: readonly string[]; now: Date; toleranceSeconds: number },
): boolean {
  const sentAt = valuesOf(header, 't').find((time) => /^\d{1,15}$/.test(time))
  if (sentAt === undefined || Math.floor(now.getTime() / 1000) - Number(sentAt) > toleranceSeconds)
    return false
  return secrets.some((secret) => {
    const expected = hmac('sha256', secret, signed(sentAt), 'hex')
    return valuesOf(header, 'v1').some((signature) => sameText(signature, expected))
  })
}

/** The header of a user and a password. */
export const basic = (user: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
})

/**
 * Calls a provider's JSON API with the headers that every request to it carries. A `POST` whose own headers
 * carry an idempotency key may be sent twice.
 */
export const jsonApi = (http: ProviderHttp, base: string, headers: Record<string, string>) => ({
  get: (path: string) => http({ method: 'GET', url: base + path, headers }),
  post: (
    path: string,
    body: unknown,
    keyed?: Record<string, string>,
    more?: Pick<ProviderRequest, 'answersWith'>,
  ) =>
    http({
      ...more,
      method: 'POST',
      url: base + path,
      headers: { ...headers, 'content-type': 'application/json', ...keyed },
      body: JSON.stringify(body),
      repeatable: keyed !== undefined,
    }),
})

type Answer = { status: number; body: string }

/** Reads a provider's answer. Throws `provider_unavailable` for a refusal and for what it does not document. */
export function answered<Schema extends z.ZodType>(schema: Schema, answer: Answer): z.output<Schema> {
  const parsed = answer.status < 300 ? schema.safeParse(jsonOf(Buffer.from(answer.body))) : undefined
  return parsed?.success ? parsed.data : fail(answer)
}

/** Makes sure that a provider took a request whose answer says nothing. Throws `provider_unavailable` as `answered`. */
export const taken = (answer: Answer): void => (answer.status < 300 ? undefined : fail(answer))

function fail({ status, body }: Answer): never {
  const cause = new Error(`The provider answered ${[status, ...codesIn(body)].join(' ')}`)
  throw new DomainError('provider_unavailable', { cause })
}

/** The words by which a refusal names its reason. What else it holds may repeat keys and telephone numbers to the log. */
const codesIn = (body: string): string[] =>
  [...body.slice(0, 2000).matchAll(CODE)].map(([, code = '']) => code).slice(0, 5)

const CODE = /"(?:code|error|error_?code|error_?type|issue|name|status|title|type)" ?: ?"([\w .-]{1,60})"/gi

/** Reads a provider's answer, every number as its text. Throws `provider_unavailable` as `answered` does. */
export function answeredExactly<Schema extends z.ZodType>(schema: Schema, answer: Answer): z.output<Schema> {
  const exact = exactJsonOf(answer.body)
  return answered(schema, { ...answer, body: exact === undefined ? answer.body : JSON.stringify(exact) })
}

/** Reads a provider's answer as `answered` does; undefined where it knows of nothing by that name. */
export const plainIn = <Schema extends z.ZodType>(
  schema: Schema,
  answer: Answer,
): z.output<Schema> | undefined => (answer.status === 404 ? undefined : answered(schema, answer))

/** The same with every number as its text. */
export function foundIn<Schema extends z.ZodType>(
  schema: Schema,
  answer: Answer,
): z.output<Schema> | undefined {
  return answer.status === 404 ? undefined : answeredExactly(schema, answer)
}

/**
 * Whether a request that failed may have been heard all the same: it went out, and no answer came, or a gateway's
 * 504. One that was answered otherwise, if only by a 503, was not carried out.
 */
export const mayHaveBeenHeard = (error: unknown): error is DomainError => {
  const cause: unknown = error instanceof DomainError ? error.cause : undefined
  return cause instanceof Error && 'code' in cause && !NEVER_SENT.has(cause.code)
}

const NEVER_SENT: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
])

/** Whether a provider refuses for good: another try with the same request would be refused as well. */
export const isRefusal = ({ status }: Answer): boolean => [400, 404, 422].includes(status)

/** A refund that the provider will not make. */
export const REFUSED: StartedRefund = { state: 'failed', providerRefundId: null }

/** A reference, unless it is the one that our own request for a refund gave: that names no payment. */
export const paymentsOwn = (reference: string | null | undefined): string | null | undefined =>
  RefundId.safeParse(reference).success ? null : reference

/**
 * Those of an answer's events that are about the payment which was asked about. Where a callback that nobody
 * vouches for says by which id to ask, another payment's money could else be passed off as this one's.
 */
export const concerning = (payment: KnownPayment | null, events: ProviderEvent[]): ProviderEvent[] =>
  payment === null
    ? events
    : events.filter(({ references }) =>
        references.some((name) => name === payment.id || payment.references.includes(name)),
      )

/** A UUID in the form of version 4 that an id of ours always makes anew, for the providers that want one as a key. */
export function uuidOf(id: string): string {
  const bytes = createHash('sha256').update(id).digest().subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
