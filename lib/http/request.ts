import type { APIGatewayProxyEventV2, Context } from 'aws-lambda'
import type * as z from 'zod'
import { DomainError, type FieldError } from '#lib/kernel/domain-error'
import { validationFailed } from './problem.ts'

/** The event of an HTTP API route or of a function URL: payload format 2.0 in either case. */
export type HttpEvent = APIGatewayProxyEventV2

/** What a use case may know of the request beside its parsed input. */
export type RequestFacts = {
  /** Also in the answer's `X-Request-Id` and in every log line. */
  id: string
  method: string
  path: string
  /** The gateway's word, never a header's. */
  ipAddress: string
  userAgent: string | null
  ifMatch: string | null
  ifNoneMatch: string | null
}

/** Reads the facts of a request. */
export const requestFacts = (event: HttpEvent, context: Context): RequestFacts => ({
  id: context.awsRequestId,
  method: event.requestContext.http.method,
  path: event.rawPath,
  ipAddress: event.requestContext.http.sourceIp,
  userAgent: header(event, 'user-agent')?.slice(0, 500) ?? null,
  ifMatch: header(event, 'if-match') ?? null,
  ifNoneMatch: header(event, 'if-none-match') ?? null,
})

/** A header by its lower-case name; payload format 2.0 has lowered all of them already. */
export const header = (event: HttpEvent, name: string): string | undefined => event.headers[name]

/** How many bytes the caller sent as a body. */
export const bodyBytes = (event: HttpEvent): number => {
  const body = event.body ?? ''
  return event.isBase64Encoded
    ? Math.floor((body.replace(/=+$/, '').length * 3) / 4)
    : Buffer.byteLength(body)
}

/** Refuses a body over the limit. */
export function limitBody(event: HttpEvent, maxBytes: number): void {
  if (bodyBytes(event) > maxBytes) {
    throw new DomainError('payload_too_large', { detail: `The body may have ${maxBytes} bytes` })
  }
}

/** A path id of a wrong shape answers as an unknown one does: `not_found`. */
export function parseParams(schemas: Record<string, z.ZodType>, event: HttpEvent): Record<string, unknown> {
  const given = event.pathParameters ?? {}
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const parsed = schema.safeParse(given[name])
      if (!parsed.success) throw new DomainError('not_found')
      return [name, parsed.data]
    }),
  )
}

/** Parses query and body together, so that one problem names everything that is wrong with either. */
export function parseInput(
  schemas: { query?: z.ZodType | undefined; body?: z.ZodType | undefined },
  given: { query: unknown; body: unknown },
): { query: unknown; body: unknown } {
  // With its input an issue tells a field that is missing from one of another type.
  const query = schemas.query?.safeParse(given.query, { reportInput: true })
  const body = schemas.body?.safeParse(given.body, { reportInput: true })
  const failures = [query, body].flatMap((parsed) => (parsed?.error ? [validationFailed(parsed.error)] : []))
  if (failures.length > 0) throw joined(failures)
  return { query: query?.data, body: body?.data }
}

function joined(failures: DomainError[]): DomainError {
  const errors: FieldError[] = failures.flatMap(({ options }) => options.errors ?? [])
  return new DomainError('validation_failed', {
    detail: failures.map(({ message }) => message).join('; '),
    errors,
  })
}
