import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import type * as z from 'zod'
import type { HtmlPage } from '#lib/kernel/html'
import type { Versioned } from '#lib/kernel/version'

/** The schema of an answer that carries an `ETag`: the endpoint's `run` gives the view with its record's version. */
export type VersionedSchema<Schema extends z.ZodType = z.ZodType> = {
  readonly kind: 'versioned'
  readonly schema: Schema
}

/** Declares that an answer shows one record, and carries its version as a strong `ETag`. */
export const versioned = <Schema extends z.ZodType>(schema: Schema): VersionedSchema<Schema> => ({
  kind: 'versioned',
  schema,
})

/** An answer that is no JSON: `run` gives its text, its bytes or a page. */
export type ContentSchema = {
  readonly kind: 'content'
  readonly contentTypes: readonly [string, ...string[]]
}

/** Declares an answer of another content type than JSON, or of one of several, which the `headers` of the reply name. */
export const content = (...contentTypes: [string, ...string[]]): ContentSchema => ({
  kind: 'content',
  contentTypes,
})

/** An answer as JSON or, for callers who prefer a page, as HTML. */
export type PagedSchema<Schema extends z.ZodType = z.ZodType> = {
  readonly kind: 'paged'
  readonly schema: Schema
}

/** Declares an answer that `Accept: text/html` turns into a page: `run` gives the view, and how a page is made of it. */
export const orPage = <Schema extends z.ZodType>(schema: Schema): PagedSchema<Schema> => ({
  kind: 'paged',
  schema,
})

/** An answer as JSON or, for callers who accept it, as a file of comma-separated values. */
export type FiledSchema<Schema extends z.ZodType = z.ZodType> = {
  readonly kind: 'filed'
  readonly schema: Schema
}

/** Declares an answer that `Accept: text/csv` turns into a file: `run` gives the view, or the file's text as `csv`. */
export const orCsv = <Schema extends z.ZodType>(schema: Schema): FiledSchema<Schema> => ({
  kind: 'filed',
  schema,
})

type Filed<View> = { readonly view: View } | { readonly csv: string }

type Paged<View, Shown = View> = { readonly view: View; readonly page: (shown: Shown) => HtmlPage }

/** The declared answers of an endpoint by success status; null for a status without a body. */
export type Answers = Readonly<
  Record<number, z.ZodType | VersionedSchema | ContentSchema | PagedSchema | FiledSchema | null>
>

/** A declared answer by its kind. A schema alone declares JSON, and null no body. */
type Answer =
  | VersionedSchema
  | ContentSchema
  | PagedSchema
  | FiledSchema
  | { readonly kind: 'json'; readonly schema: z.ZodType }
  | { readonly kind: 'empty' }

/** Returns the kind of a declared answer, with its schema or its content types. */
export function answerOf(declared: Answers[number]): Answer {
  if (declared === null) return { kind: 'empty' }
  return 'kind' in declared ? declared : { kind: 'json', schema: declared }
}

/** Whether an endpoint answers with a page. */
export const answersPage = (output: Answers): boolean =>
  Object.values(output).some((declared) => {
    const answer = answerOf(declared)
    return answer.kind === 'content' && isHtml(answer)
  })

/** Whether every answer with a body is JSON. */
export const answersJson = (output: Answers): boolean =>
  Object.values(output).every((declared) => answerOf(declared).kind !== 'content')

const isHtml = ({ contentTypes: [contentType] }: ContentSchema): boolean =>
  contentType.startsWith('text/html')

/** The type of the body that `run` gives for a declared answer; `never` for a status without a body. */
type BodyOf<Declared> = Declared extends ContentSchema
  ? string | Uint8Array | HtmlPage
  : Declared extends VersionedSchema<infer Schema>
    ? Versioned<z.input<Schema>>
    : Declared extends PagedSchema<infer Schema>
      ? Paged<z.input<Schema>, z.output<Schema>>
      : Declared extends FiledSchema<infer Schema>
        ? Filed<z.input<Schema>>
        : Declared extends z.ZodType
          ? z.input<Declared>
          : never

/** A declared answer with its status, before encoding. */
type Reply<A extends Answers> = {
  [Status in keyof A & number]: [BodyOf<A[Status]>] extends [never]
    ? { status: Status; body?: never; headers?: Record<string, string> }
    : { status: Status; body: BodyOf<A[Status]>; headers?: Record<string, string> }
}[keyof A & number]

/** The type itself unless it is a union; `never` for a union. */
type Single<T, Whole = T> = T extends unknown ? ([Whole] extends [T] ? T : never) : never

/** `void`, which the linter allows as the type of a result only. */
type Nothing = ReturnType<() => void>

/** The type of a body alone: `void` for a status without a body, `never` for a body that could be taken for a whole reply. */
type Alone<Body> = [Body] extends [never] ? Nothing : Body extends { status: number } ? never : Body

/** The result of `run`: a reply or, with one declared status, its body alone. */
export type Outcome<A extends Answers> =
  | Reply<A>
  | { [Status in Single<keyof A & number>]: Alone<BodyOf<A[Status]>> }[Single<keyof A & number>]

/** An answer as it goes out, before the headers common to all. */
export type EncodedAnswer = {
  statusCode: number
  headers: Record<string, string>
  body: string | null
  /** The body is the base64 of bytes that are no text. */
  isBase64Encoded?: true
  /** The answer is sent even to callers who have its version, see `Versioned`. */
  isAlwaysSent?: true
}

type AnyReply = { status: number; body?: unknown; headers?: Record<string, string> }

/** Redirects a browser to another address, which it reads with `GET`. */
export const seeOther = (location: string) => ({ status: 303 as const, headers: { location } })

/**
 * Encodes the result of `run` through the schema of its status: a field outside the schema is dropped, and a missing
 * required field is an `internal` problem. No cache keeps it unless the reply says otherwise.
 */
export function encode(
  output: Answers,
  outcome: unknown,
  { prefersPage }: { prefersPage: boolean },
): EncodedAnswer {
  const { status, body, headers } = replyOf(output, outcome)
  const declared = output[status]
  if (declared === undefined) throw new Error(`The status ${status} is not declared`)
  const encoded = encodeBody(answerOf(declared), body, prefersPage)
  return {
    statusCode: status,
    ...encoded,
    headers: { 'cache-control': 'no-store', ...encoded.headers, ...headers },
  }
}

type EncodedBody = Omit<EncodedAnswer, 'statusCode'>

function encodeBody(answer: Answer, body: unknown, prefersPage: boolean): EncodedBody {
  switch (answer.kind) {
    case 'empty':
      return { headers: {}, body: null }
    case 'json':
      return asJson(answer.schema.parse(body))
    case 'versioned':
      return encodeVersioned(answer, body)
    case 'paged':
      return encodePaged(answer, body, prefersPage)
    case 'filed':
      return encodeFiled(answer, body)
    case 'content':
      return encodeContent(answer, body)
  }
}

const asJson = (shown: unknown) => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(shown),
})

function encodeVersioned({ schema }: VersionedSchema, body: unknown): EncodedBody {
  if (!isVersioned(body)) throw new TypeError('The answer has no version')
  const { headers, ...encoded } = asJson(schema.parse(body.view))
  return {
    ...encoded,
    headers: { ...headers, etag: etagOf(body.version) },
    ...(body.isAlwaysSent && { isAlwaysSent: true }),
  }
}

const PAGE = content('text/html; charset=utf-8')

/** Encodes the view as JSON or as a page. The form depends on `Accept`, the language on the caller. */
function encodePaged({ schema }: PagedSchema, body: unknown, prefersPage: boolean): EncodedBody {
  if (!isPaged(body)) throw new TypeError('The answer has no page')
  const shown = schema.parse(body.view)
  const encoded = prefersPage ? encodeContent(PAGE, body.page(shown)) : asJson(shown)
  return { ...encoded, headers: { ...encoded.headers, vary: 'Accept, Authorization' } }
}

const FILE = content('text/csv; charset=utf-8')

/** Encodes the view as JSON, or the file, whichever `run` has given. It depends on `Accept`. */
function encodeFiled({ schema }: FiledSchema, body: unknown): EncodedBody {
  const { csv, view } = Object(body)
  const encoded = csv === undefined ? asJson(schema.parse(view)) : encodeContent(FILE, csv)
  return { ...encoded, headers: { ...encoded.headers, vary: 'Accept' } }
}

function encodeContent(answer: ContentSchema, body: unknown): EncodedBody {
  const [contentType] = answer.contentTypes
  const text = isPage(body) ? body.html : body
  const headers = {
    'content-type': contentType,
    ...(isHtml(answer) && pageHeaders(isPage(body) ? body.imageSource : null)),
  }
  if (typeof text === 'string') return { headers, body: text }
  if (!(body instanceof Uint8Array)) throw new TypeError('The answer has no content')
  return { headers, body: Buffer.from(body).toString('base64'), isBase64Encoded: true }
}

const isPage = (body: unknown): body is HtmlPage =>
  typeof body === 'object' && body !== null && 'html' in body && 'imageSource' in body

/** The headers that isolate a page from other sites, and from the camera, microphone and position of the device. */
export const ISOLATION_HEADERS = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
}

/** Returns the headers of a page: it loads no other file except its pictures, and frames cannot show it. */
export const pageHeaders = (imageSource: string | null) => ({
  ...ISOLATION_HEADERS,
  'content-security-policy': [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    ...(imageSource === null ? [] : [`img-src ${imageSource}`]),
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; '),
})

/** Spells a version as a strong entity tag. */
export const etagOf = (version: number | string): string => `"${version}"`

const isPaged = (body: unknown): body is Paged<unknown> =>
  typeof body === 'object' && body !== null && 'page' in body

const isVersioned = (body: unknown): body is Versioned<unknown> =>
  typeof body === 'object' && body !== null && 'view' in body && 'version' in body

function replyOf(output: Answers, outcome: unknown): AnyReply {
  if (isReply(outcome)) return outcome
  const [status, ...others] = Object.keys(output)
  if (others.length > 0) throw new TypeError('One of the declared statuses must be named')
  return { status: Number(status), body: outcome }
}

/** Whether a result is a whole reply: a body alone never has a number as its `status`, as the type `Outcome` ensures. */
const isReply = (outcome: unknown): outcome is AnyReply =>
  typeof outcome === 'object' && outcome !== null && 'status' in outcome && typeof outcome.status === 'number'

/** Returns an encoded answer in Lambda's payload format 2.0. */
export const toResult = ({
  body,
  isAlwaysSent: _isAlwaysSent,
  ...answer
}: EncodedAnswer): APIGatewayProxyStructuredResultV2 => ({
  ...answer,
  ...(body !== null && { body }),
})
