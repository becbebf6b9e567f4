import type { APIGatewayProxyEventV2, Context } from 'aws-lambda'
import { DomainError } from '#lib/kernel/domain-error'
import { prefers } from './accept.ts'

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
export const requestFacts = (event: HttpEvent, context: Context): RequestFacts => ({
  id: context.awsRequestId,
  method: event.requestContext.http.method,
  path: event.rawPath,
  ipAddress: event.requestContext.http.sourceIp,
  userAgent: header(event, 'user-agent')?.slice(0, 500) ?? null,
  acceptLanguage: header(event, 'accept-language')?.slice(0, 500) ?? null,
  idempotencyKey: header(event, 'idempotency-key') ?? null,
  prefersCsv: prefers('text/csv', header(event, 'accept')),
})

/** A header by its lower-case name; payload format 2.0 has lowered all of them already. */
export const header = (event: HttpEvent, name: string): string | undefined => event.headers[name]

/** The number of bytes in the caller's body. */
export const bodyBytes = (event: HttpEvent): number => {
  const body = event.body ?? ''
  return event.isBase64Encoded
    ? Math.floor((body.replace(/=+$/, '').length * 3) / 4)
    : Buffer.byteLength(body)
}

/** Throws `payload_too_large` for a body over the limit. `otherWay` tells the caller how to send a larger one. */
export function limitBody(event: HttpEvent, maxBytes: number, otherWay?: string): void {
  if (bodyBytes(event) > maxBytes) {
    const detail = [`The body may have ${maxBytes} bytes`, otherWay].filter(Boolean).join('; ')
    throw new DomainError('payload_too_large', { detail })
  }
}
