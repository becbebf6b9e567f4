import type { APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda'
import type * as z from 'zod'
import type { Dependencies } from '#lib/config'
import type { ProblemCode } from '#lib/kernel/domain-error'
import type { Access } from './access.ts'
import type { CallbackSpec } from './callback.ts'
import type { Idempotency } from './idempotency.ts'
import type { JobSpec } from './job.ts'
import type { MultipartPart } from './multipart.ts'
import type { Answers, Reply } from './reply.ts'
import type { HttpEvent } from './request.ts'
import type { Route } from './route.ts'

/** A multipart body: how it is read, how large it may be, and how the OpenAPI document describes it. */
export type FilesInput = {
  readonly maxBytes: number
  readonly parse: (event: HttpEvent) => Promise<MultipartPart[]>
  readonly form: Readonly<Record<string, unknown>>
}

/** What an endpoint takes: schemas for the path's parameters, the query and the body, or a form with files. */
export type Input = {
  params?: Readonly<Record<string, z.ZodType>>
  query?: z.ZodType
  body?: z.ZodType
  files?: FilesInput
}

/** An endpoint's declaration as the documents and the tests read it: its types are no longer needed. */
export type Spec = {
  route: Route
  summary: string
  description?: string
  access: 'public' | Access
  input?: Input
  output: Answers
  problems?: readonly ProblemCode[]
  deps: Dependencies
  idempotency?: Idempotency
  run: (context: never, deps: never) => Promise<Reply<Answers>> | Reply<Answers>
}

/** A Lambda function behind an HTTP API route or a function URL. */
export type HttpHandler = (event: HttpEvent, context: Context) => Promise<APIGatewayProxyStructuredResultV2>

/** The declaration of a function that answers HTTP. */
export type HttpSpec = Spec | CallbackSpec

/** What every file under `functions/` exports. */
export type FunctionModule = { spec: HttpSpec | JobSpec; handler: unknown }

/** The routes of a spec; a callback may have several. */
export const routesOfSpec = (spec: HttpSpec): Route[] => ('routes' in spec ? [...spec.routes] : [spec.route])
