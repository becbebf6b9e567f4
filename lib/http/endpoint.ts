import type * as z from 'zod'
import type { Dependencies, Dependency, Resolved } from '#lib/config'
import type { ProblemCode } from '#lib/kernel/domain-error'
import type { Access, AccountReader, ActorOf } from './access.ts'
import type { Idempotency, IdempotencyContext } from './idempotency.ts'
import type { MultipartPart } from './multipart.ts'
import type { Answers, Reply } from './reply.ts'
import type { RequestFacts } from './request.ts'
import type { PathParameter, Route } from './route.ts'
import { serve } from './serve.ts'
import type { HttpHandler, Input, Spec } from './spec.ts'

type NameOf<Acc> = Acc extends Access<infer Name> ? Name : 'public'
type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined
type AccountOf<D> = D extends { accounts: Dependency<AccountReader<infer Account>> } ? Account : never

/** What `run` is given: parsed input, the actor where access demands one, and the facts of the request. */
export type RunContext<Acc, Account, In extends Input, I> = {
  params: { [Name in keyof In['params']]: Output<In['params'][Name]> }
  query: Output<In['query']>
  body: Output<In['body']>
  /** The parts of a multipart body, in the order sent. */
  files: MultipartPart[]
  request: RequestFacts
} & (Acc extends 'public' ? unknown : { actor: ActorOf<NameOf<Acc>, Account> }) &
  (I extends Idempotency<infer Kind> ? IdempotencyContext<Kind> : unknown)

/** The five facts of an endpoint and the one call into the domain. */
export type Declaration<
  R extends Route,
  Acc extends 'public' | Access,
  In extends Input,
  A extends Answers,
  D extends Dependencies,
  I,
> = {
  /** The very string that `serverless.yml` holds. */
  route: R
  summary: string
  description?: string
  access: Acc
  output: A
  /** Every refusal of its own; those that follow from access and input are added by the document. */
  problems?: readonly ProblemCode[]
  deps: D
  idempotency?: I
  run: (
    context: RunContext<Acc, AccountOf<D>, In, I>,
    deps: Resolved<D>,
  ) => Promise<Reply<NoInfer<A>>> | Reply<NoInfer<A>>
} & ([PathParameter<R>] extends [never]
  ? { input?: In & { params?: never } }
  : { input: In & { params: ExactParams<In, PathParameter<R>> } }) &
  (NameOf<Acc> extends 'public' | 'anyone' ? unknown : { deps: { accounts: Dependency<AccountReader> } })

type ExactParams<In, Names extends string> = Readonly<Record<Names, z.ZodType>> & {
  [Extra in Exclude<In extends { params: infer P } ? keyof P : never, Names>]: never
}

/**
 * Declares an endpoint. A path parameter that the route does not have, an `actor` on a public route, and a
 * status or a body that is not declared do not compile.
 */
export function endpoint<
  const R extends Route,
  const Acc extends 'public' | Access,
  const A extends Answers,
  D extends Dependencies,
  const In extends Input = Record<never, never>,
  I = undefined,
>(declaration: Declaration<R, Acc, In, A, D, I>): { spec: Spec; handler: HttpHandler } {
  const spec = declaration as unknown as Spec
  return { spec, handler: serve(spec) }
}
