import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import type * as z from 'zod'

/** What an endpoint answers with: a schema for each success status, null where there is no body. */
export type Answers = Readonly<Record<number, z.ZodType | null>>

/** One of the declared answers, not yet encoded. */
export type Reply<A extends Answers> = {
  [Status in keyof A & number]: A[Status] extends z.ZodType
    ? { status: Status; body: z.input<A[Status]>; headers?: Record<string, string> }
    : { status: Status; body?: never; headers?: Record<string, string> }
}[keyof A & number]

/** An answer as it goes out, before the headers common to all. */
export type EncodedAnswer = { statusCode: number; headers: Record<string, string>; body: string | null }

/**
 * Encodes a reply through the schema declared for its status, so that a stray attribute cannot leak: what the
 * schema does not name is dropped, and what it demands and does not find is a fault of ours. No cache keeps it
 * unless the reply says otherwise.
 */
export function encode(
  output: Answers,
  reply: { status: number; body?: unknown; headers?: Record<string, string> },
): EncodedAnswer {
  const schema = output[reply.status]
  if (schema === undefined) throw new Error(`The status ${reply.status} is not declared`)
  const headers = { 'cache-control': 'no-store', ...reply.headers }
  if (schema === null) return { statusCode: reply.status, headers, body: null }
  return {
    statusCode: reply.status,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(schema.parse(reply.body)),
  }
}

/** The encoded answer as Lambda's payload format 2.0 wants it. */
export const toResult = ({
  statusCode,
  headers,
  body,
}: EncodedAnswer): APIGatewayProxyStructuredResultV2 => ({
  statusCode,
  headers: { ...headers },
  ...(body !== null && { body }),
})
