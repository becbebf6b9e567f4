import type { APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda'
import type * as z from 'zod'
import type { Dependencies } from '#lib/config/config'
import type { MultipartPart } from '#lib/http/input/multipart'
import type { FieldError, ProblemCode } from '#lib/kernel/domain-error'
import type { HtmlPage } from '#lib/kernel/html'
import type { SeenVersion } from '#lib/kernel/version'
import type { Access, ApiKeyAccess, GivenDeps } from './access.ts'
import type { Idempotency } from './idempotency/idempotency.ts'
import type { Answers } from './reply.ts'
import type { HttpEvent, RequestFacts } from './request.ts'
import type { Route } from './route.ts'

/** A multipart body: how it is read, how large it may be, and how the OpenAPI document describes it. */
type FilesInput = {
  readonly maxBytes: number
  /** The other way to send a file that is too large, for its refusal. */
  readonly adviceIfTooLarge?: string | undefined
  readonly parse: (event: HttpEvent) => Promise<MultipartPart[]>
  readonly form: Readonly<Record<string, unknown>>
}

/** The input of an endpoint: schemas for the path's parameters, the query and the body, or a form with files. */
export type Input = {
  params?: Readonly<Record<string, z.ZodType>>
  query?: z.ZodObject
  body?: z.ZodType
  files?: FilesInput
}

/** The facts for the page of a refusal: the problem, and the caller's preferred language. */
export type PageRefusal = {
  code: ProblemCode
  errors: readonly FieldError[]
  acceptLanguage: string | null
}

/** The input of `run` as the builder knows it. The endpoint's declaration types it. */
type ParsedContext = {
  params: Record<string, unknown>
  query: unknown
  body: unknown
  files: MultipartPart[]
  request: RequestFacts
  actor?: unknown
  seenVersion?: SeenVersion
}

/** An endpoint's declaration as the documents and the tests read it. `Declaration` in endpoint.ts explains its fields. */
export type Spec<A extends Answers = Answers> = {
  kind: 'endpoint'
  route: Route
  summary: string
  description?: string | undefined
  access: Access
  apiKeys?: ApiKeyAccess | undefined
  input?: Input | undefined
  output: A
  problems?: readonly ProblemCode[] | undefined
  honours?: 'If-Match' | 'If-None-Match' | undefined
  caching?: 'without credential' | undefined
  location?: string | undefined
  isSecret?: true | undefined
  deps: Dependencies
  idempotency?: Idempotency | undefined
  refusalPage?(refusal: PageRefusal, deps: GivenDeps): HtmlPage
  run(context: ParsedContext, deps: GivenDeps): unknown
}

/** A callback as it arrived: nothing of it is parsed, since its signature covers its bytes. */
export type CallbackRequest = {
  provider: string
  method: string
  rawBody: Buffer
  /** By lower-case name; a header sent twice is one value joined by commas. */
  headers: Record<string, string>
  /** As sent, not decoded. */
  rawQuery: string
  requestId: string
}

/** The answer in the form the provider expects. */
export type CallbackAnswer = { status: number; headers?: Record<string, string>; body: string }

/** A callback's declaration. Its routes end in `{provider}`, one for each method. */
export type CallbackSpec = {
  kind: 'callback'
  routes: readonly [Route, ...Route[]]
  summary: string
  description?: string
  problems: readonly ProblemCode[]
  deps: Dependencies
  run(request: CallbackRequest, deps: GivenDeps): Promise<CallbackAnswer>
}

/** Returns how long Lambda still lets an invocation run. */
export type RemainingMilliseconds = () => number

/** A function without HTTP: the table's stream, an S3 event or a schedule starts it. */
export type JobSpec = {
  kind: 'job'
  name: string
  summary: string
  deps: Dependencies
  /** Whether `{at}` in the event takes the place of the clock. */
  acceptsTime?: boolean
  run(event: unknown, deps: GivenDeps, remainingMilliseconds: RemainingMilliseconds): Promise<unknown>
}

/** A Lambda function behind an HTTP API route or a function URL. */
export type HttpHandler = (event: HttpEvent, context: Context) => Promise<APIGatewayProxyStructuredResultV2>

/** The declaration of a function that answers HTTP. */
export type HttpSpec = Spec | CallbackSpec

/** The export of every file under `functions/`. */
export type FunctionModule = { spec: HttpSpec | JobSpec; handler: unknown }

/** Returns the routes of a spec; a callback may have several, a job has none. */
export const routesOfSpec = (spec: FunctionModule['spec']): Route[] => {
  if (spec.kind === 'job') return []
  return spec.kind === 'callback' ? [...spec.routes] : [spec.route]
}
