import type { APIGatewayProxyEventV2, Context } from 'aws-lambda'
import { cutText } from '#lib/kernel/cut-text'
import { DomainError } from '#lib/kernel/domain-error'

/** The event of an HTTP API route or of a function URL: payload format 2.0 in either case. */
export type HttpEvent = APIGatewayProxyEventV2

/** The facts of the request for a use case, in addition to its parsed input. */
export type RequestFacts = {
  /** Also in the answer's `X-Request-Id` and in every log line. */
  id: string
  method: string
  path: string
  /** From the gateway, or from CloudFront before it (see `trustFront`); never from a header that a client can set. */
  ipAddress: string
  userAgent: string | null
  /** The `Accept-Language` field as it was sent. */
  acceptLanguage: string | null
  /** The `Idempotency-Key` as it was sent. */
  idempotencyKey: string | null
  /** Whether the caller prefers comma-separated values to JSON. */
  prefersCsv: boolean
}

/** Reads the facts of a request. */
export function requestFacts(event: HttpEvent, context: Context): RequestFacts {
  const userAgent = header(event, 'user-agent')
  return {
    id: context.awsRequestId,
    method: event.requestContext.http.method,
    path: event.rawPath,
    ipAddress: event.requestContext.http.sourceIp,
    userAgent: userAgent === undefined ? null : cutText(userAgent, 500),
    acceptLanguage: header(event, 'accept-language')?.slice(0, 500) ?? null,
    idempotencyKey: header(event, 'idempotency-key') ?? null,
    prefersCsv: prefers('text/csv', header(event, 'accept')),
  }
}

/** Returns a header by its lower-case name: payload format 2.0 has all names in lower case. */
export const header = (event: HttpEvent, name: string): string | undefined => event.headers[name]

/** Whether a request carries a credential, valid or not. */
export const hasCredential = (event: HttpEvent): boolean => header(event, 'authorization') !== undefined

/** Returns the `Bearer` token of a request; undefined for another scheme and for characters that no token contains. */
export const bearerOf = (event: HttpEvent): string | undefined =>
  /^Bearer +([\w.-]+)$/i.exec(header(event, 'authorization') ?? '')?.[1]

/** Whether a request carries an agent's API key, valid or not. */
export function hasApiKey(event: HttpEvent): boolean {
  const [, token] = /^Bearer +(.*)$/i.exec(header(event, 'authorization') ?? '') ?? []
  return token?.startsWith('pak_') ?? false
}

/**
 * Whether an `Accept` field prefers this type to JSON (RFC 9110, section 12.5.1). A browser names `text/html`; a client
 * that accepts any type gets JSON.
 */
export function prefers(type: 'text/html' | 'text/csv', accept: string | undefined): boolean {
  const weights = weightsIn(accept ?? '')
  // The most specific name that the field has gives JSON its weight.
  const weightsOfJson = ['application/json', 'application/*', '*/*'].map((name) => weights.get(name))
  const weightOfJson = weightsOfJson.find((weight) => weight !== undefined) ?? 0
  const weightOfType = weights.get(type) ?? 0
  return weightOfType > 0 && weightOfType >= weightOfJson
}

/** Returns the weights in an `Accept…` field by name: `q`, by default 1, and 0 for a malformed one. */
export const weightsIn = (field: string): Map<string, number> => new Map(field.split(',').map(weightOf))

function weightOf(item: string): [name: string, weight: number] {
  const [name = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase())
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1'
  return [name, /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight) ? Number(weight) : 0]
}

/** Returns the number of bytes in the caller's body. */
const bodyBytes = (event: HttpEvent): number => {
  const body = event.body ?? ''
  return event.isBase64Encoded
    ? Math.floor((body.replace(/=+$/, '').length * 3) / 4)
    : Buffer.byteLength(body)
}

/** Throws `payload_too_large` for a body over the limit. `adviceIfTooLarge` tells the caller how to send a larger one. */
export function limitBody(event: HttpEvent, maxBytes: number, adviceIfTooLarge?: string): void {
  if (bodyBytes(event) > maxBytes) {
    const detail = [`The body may have ${maxBytes} bytes`, adviceIfTooLarge].filter(Boolean).join('; ')
    throw new DomainError('payload_too_large', { detail })
  }
}
