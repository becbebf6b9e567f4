import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import type * as z from 'zod'
import type { Versioned } from '#lib/kernel/version'
import { etagOf } from './conditional.ts'

/** The schema of an answer that carries an `ETag`: `run` gives the view with its record's version. */
export type VersionedSchema<Schema extends z.ZodType = z.ZodType> = { readonly view: Schema }

/** Declares that an answer shows one record, and carries its version as a strong `ETag`. */
export const versioned = <Schema extends z.ZodType>(schema: Schema): VersionedSchema<Schema> => ({
  view: schema,
})

/** What an endpoint answers with: a schema for each success status, null where there is no body. */
export type Answers = Readonly<Record<number, z.ZodType | VersionedSchema | null>>

/** The schema of a body, whether its answer is versioned or not. */
export const schemaOf = (declared: z.ZodType | VersionedSchema): z.ZodType =>
  'view' in declared ? declared.view : declared

type BodyOf<Declared> =
  Declared extends VersionedSchema<infer Schema>
    ? Versioned<z.input<Schema>>
    : Declared extends z.ZodType
      ? z.input<Declared>
      : never

/** One of the declared answers with its status, not yet encoded. */
export type Reply<A extends Answers> = {
  [Status in keyof A & number]: [BodyOf<A[Status]>] extends [never]
    ? { status: Status; body?: never; headers?: Record<string, string> }
    : { status: Status; body: BodyOf<A[Status]>; headers?: Record<string, string> }
}[keyof A & number]

/** The type, where it is no union. */
type Single<T, Whole = T> = T extends unknown ? ([Whole] extends [T] ? T : never) : never

type Nothing = ReturnType<() => void>

/** A body that cannot be taken for a whole reply; nothing where none is declared. */
type Alone<Body> = [Body] extends [never] ? Nothing : Body extends { status: number } ? never : Body

/**
 * What `run` may return: a reply or, where one status is declared, its body alone, which is nothing for a status
 * without one.
 */
export type Outcome<A extends Answers> =
  | Reply<A>
  | { [Status in Single<keyof A & number>]: Alone<BodyOf<A[Status]>> }[Single<keyof A & number>]

/** An answer as it goes out, before the headers common to all. */
export type EncodedAnswer = { statusCode: number; headers: Record<string, string>; body: string | null }

type AnyReply = { status: number; body?: unknown; headers?: Record<string, string> }

/** Answers that what was asked for lies elsewhere. */
export const seeOther = (location: string) => ({ status: 303 as const, headers: { location } })

/**
 * Encodes what `run` returned through the schema declared for its status, so that a stray attribute cannot leak:
 * what the schema does not name is dropped, and what it demands and does not find is a fault of ours. No cache keeps
 * it unless the reply says otherwise.
 */
export function encode(output: Answers, outcome: unknown): EncodedAnswer {
  const { status, body, headers: own } = replyOf(output, outcome)
  const declared = output[status]
  if (declared === undefined) throw new Error(`The status ${status} is not declared`)
  const headers = { 'cache-control': 'no-store', ...own }
  if (declared === null) return { statusCode: status, headers, body: null }
  const { view, version } = 'view' in declared ? versionedBody(body) : { view: body, version: undefined }
  return {
    statusCode: status,
    headers: {
      'content-type': 'application/json',
      ...(version !== undefined && { etag: etagOf(version) }),
      ...headers,
    },
    body: JSON.stringify(schemaOf(declared).parse(view)),
  }
}

function versionedBody(body: unknown): Versioned<unknown> {
  if (isVersioned(body)) return body
  throw new TypeError('The answer has no version')
}

const isVersioned = (body: unknown): body is Versioned<unknown> =>
  typeof body === 'object' && body !== null && 'view' in body && 'version' in body

function replyOf(output: Answers, outcome: unknown): AnyReply {
  if (isReply(outcome)) return outcome
  const [status, ...others] = Object.keys(output)
  if (others.length > 0) throw new TypeError('One of the declared statuses must be named')
  return { status: Number(status), body: outcome }
}

/** A body alone never has a number as its `status`: the types of `Outcome` see to it. */
const isReply = (outcome: unknown): outcome is AnyReply =>
  typeof outcome === 'object' && outcome !== null && 'status' in outcome && typeof outcome.status === 'number'

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
