import { randomUUID } from 'node:crypto'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import type * as z from 'zod'
import { PROBLEM_MEMBERS } from '#lib/docs/problem-members'
import { serveCallback } from '#lib/http/callback'
import { describeOperation } from '#lib/http/document/describe-operation'
import type { Responses } from '#lib/http/document/operation'
import type { ProblemMembers } from '#lib/http/document/problem-schema'
import type { ContentSchema, FiledSchema, PagedSchema, VersionedSchema } from '#lib/http/reply'
import type { HttpEvent } from '#lib/http/request'
import { type Route, splitRoute } from '#lib/http/route'
import { serve } from '#lib/http/serve'
import type { HttpHandler, HttpSpec, Spec } from '#lib/http/spec'
import type { FieldError, ProblemCode } from '#lib/kernel/domain-error'
import { LAMBDA_CONTEXT } from './lambda-context.ts'

/** A request as a caller would make it. */
export type Call = {
  params?: Record<string, string>
  /** A list is sent as a parameter repeated. */
  query?: Record<string, string | string[]>
  /** Sent as JSON; `rawBody` is sent as it is. */
  body?: unknown
  rawBody?: string | Buffer
  token?: string | undefined
  /** One that is undefined is not sent. */
  headers?: Record<string, string | undefined>
  method?: string
  path?: string
  ipAddress?: string
  /** Dependencies to replace, by name. */
  deps?: Record<string, unknown>
}

/** An answer, its body parsed. */
export type Answer<Body = unknown> = {
  status: number
  headers: Record<string, string>
  /** Typed as a success has it: the body of a refusal is read by `problemOf`. */
  body: Body
  text: string
}

/** The body of an endpoint's successes; unknown where the endpoint is. */
export type BodyOf<S extends HttpSpec> = S extends Spec<infer A> ? Declared<A[keyof A & number]> : unknown

type Declared<D> = D extends ContentSchema
  ? string
  : D extends VersionedSchema<infer Schema> | PagedSchema<infer Schema> | FiledSchema<infer Schema>
    ? z.output<Schema>
    : D extends z.ZodType
      ? z.output<D>
      : never

type Problem = {
  type: string
  title: string
  status: number
  code: ProblemCode
  detail: string
  requestId: string
  errors?: FieldError[]
}

type MembersOf<Code extends ProblemCode> = ProblemCode extends Code
  ? unknown
  : Code extends 'validation_failed'
    ? { errors: FieldError[] }
    : Code extends keyof typeof PROBLEM_MEMBERS
      ? z.output<(typeof PROBLEM_MEMBERS)[Code]>
      : unknown

/** Returns the problem of a refusal, with the members of the code if one is given. Throws for another answer. */
export function problemOf<Code extends ProblemCode>(
  { status, headers, text }: Answer,
  code?: Code,
): Problem & MembersOf<Code> {
  const problem = headers['content-type'] === 'application/problem+json' ? JSON.parse(text) : {}
  if (code ? problem.code === code : problem.code) return problem
  throw new Error(`Answered no problem ${code ?? ''} but ${status} ${text.slice(0, 1000)}`)
}

/** Runs a request through an endpoint's whole middy stack, as API Gateway would hand it over. */
export async function call<S extends HttpSpec>(spec: S, request: Call = {}): Promise<Answer<BodyOf<S>>> {
  const route = spec.kind === 'callback' ? spec.routes[0] : spec.route
  const handler = handlerOf(spec, request.deps)
  const event = httpEvent(route, withKey(spec, request))
  const result = await handler(event, { ...LAMBDA_CONTEXT, awsRequestId: randomUUID() })
  const text = textOf(result)
  const isJson = String(result.headers?.['content-type']).includes('json')
  const answer: Answer<BodyOf<S>> = {
    status: result.statusCode ?? 200,
    headers: Object.fromEntries(
      Object.entries(result.headers ?? {}).map(([name, value]) => [name, String(value)]),
    ),
    body: isJson ? JSON.parse(text) : text,
    text,
  }
  holdToDocument(route, spec, answer)
  return answer
}

const warm = new WeakMap<HttpSpec, { environment: string; handler: HttpHandler }>()

/** A new function where dependencies are replaced; else the one that ran before, as long as its environment is the same. */
function handlerOf(spec: HttpSpec, deps?: Record<string, unknown>): HttpHandler {
  if (deps) return handlerWith(spec, deps)
  const environment = JSON.stringify(process.env)
  const known = warm.get(spec)
  if (known?.environment === environment) return known.handler
  const handler = handlerWith(spec)
  warm.set(spec, { environment, handler })
  return handler
}

const handlerWith = (spec: HttpSpec, deps?: Record<string, unknown>): HttpHandler =>
  spec.kind === 'callback' ? serveCallback(spec, deps) : serve(spec, deps)

/** The text of an answer, decoded and unpacked where it is compressed. */
function textOf({ body = '', isBase64Encoded, headers }: APIGatewayProxyStructuredResultV2): string {
  const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8')
  const coding = headers?.['content-encoding']
  if (coding === 'br') return brotliDecompressSync(bytes).toString()
  return (coding === 'gzip' ? gunzipSync(bytes) : bytes).toString()
}

/** An `Idempotency-Key` of its own for a request that must have one, unless the test names the header itself. */
function withKey(spec: HttpSpec, request: Call): Call {
  const isDemanded = spec.kind === 'endpoint' && spec.idempotency?.isDemanded === true
  return isDemanded
    ? { ...request, headers: { 'idempotency-key': randomUUID(), ...request.headers } }
    : request
}

const documented = new WeakMap<object, Responses>()

/** What the document says of an endpoint's answers. Its schemas, which nothing here reads, would take most of the time. */
function responsesOf(route: Route, spec: HttpSpec): Responses {
  const responses = documented.get(spec) ?? describeOperation(spec, route).responses
  documented.set(spec, responses)
  return responses
}

/** Whatever an endpoint is asked in a test, it answers only what the OpenAPI document says of it. */
function holdToDocument(route: Route, spec: HttpSpec, answer: Answer): void {
  const { status, headers, text } = answer
  if (route === '$default' || status === 405) return
  const responses = responsesOf(route, spec)
  const response = responses[status]
  const type = headers['content-type']?.replace(/;.*/, '') ?? ''
  const isPage = type === 'text/html'
  const isKnown =
    response !== undefined &&
    (text === '' || spec.kind === 'callback' || response.content?.[type] !== undefined) &&
    (status < 400 || isPage || response.description.includes(`\`${problemOf(answer).code}\``))
  if (!isKnown)
    throw new Error(`${route} does not say that it answers ${status} ${type} ${text.slice(0, 1000)}`)
  if (status >= 400 && !isPage) holdToMembers(problemOf(answer))
}

const PROBLEM_FIELDS = new Set(['type', 'title', 'status', 'code', 'detail', 'requestId', 'errors'])

/** Whatever a problem says beyond what all of them say is what the document types for its code. */
function holdToMembers(problem: Problem): void {
  const schemas: ProblemMembers = PROBLEM_MEMBERS
  const schema = schemas[problem.code]
  const own = Object.entries(problem).filter(([name]) => !PROBLEM_FIELDS.has(name))
  const isTyped = own.every(([name]) => schema?.shape[name] !== undefined)
  if (!isTyped || schema?.safeParse(problem).success === false) {
    throw new Error(`The document types other members than ${JSON.stringify(problem)}`)
  }
}

const rawQuery = (query: [string, string | string[]][]): string => {
  const parameters = new URLSearchParams()
  for (const [name, given] of query) for (const value of [given].flat()) parameters.append(name, value)
  return parameters.toString()
}

/** An event in payload format 2.0. */
export function httpEvent(route: Route, request: Call): HttpEvent {
  const { method, path } = splitRoute(route)
  const rawPath = request.path ?? path.replace(/\{(\w+)\}/g, (_, name) => request.params?.[name] ?? '')
  const body = request.rawBody ?? (request.body === undefined ? undefined : JSON.stringify(request.body))
  const query = Object.entries(request.query ?? {})
  const headers = {
    ...(request.body !== undefined && { 'content-type': 'application/json' }),
    ...(request.token !== undefined && { authorization: `Bearer ${request.token}` }),
    ...request.headers,
  }
  return {
    version: '2.0',
    routeKey: route,
    rawPath,
    rawQueryString: rawQuery(query),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
    ...(query.length > 0 && {
      queryStringParameters: Object.fromEntries(query.map(([name, given]) => [name, String(given)])),
    }),
    ...(request.params && { pathParameters: request.params }),
    requestContext: {
      accountId: '123456789012',
      apiId: 'tested',
      domainName: 'api.platform.test',
      domainPrefix: 'api',
      requestId: 'tested',
      routeKey: route,
      stage: '$default',
      time: '20/Nov/2026:12:00:00 +0000',
      timeEpoch: Date.parse('2026-11-20T12:00:00Z'),
      http: {
        method: request.method ?? method,
        path: rawPath,
        protocol: 'HTTP/1.1',
        sourceIp: request.ipAddress ?? '203.0.113.7',
        userAgent: 'test',
      },
    },
    ...(body !== undefined && { body: Buffer.isBuffer(body) ? body.toString('base64') : body }),
    isBase64Encoded: Buffer.isBuffer(body),
  }
}
