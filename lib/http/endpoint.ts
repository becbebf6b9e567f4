import type * as z from 'zod'
import type { Dependencies, Resolved } from '#lib/config/config'
import type { MultipartPart } from '#lib/http/input/multipart'
import type { ProblemCode } from '#lib/kernel/domain-error'
import type { HtmlPage } from '#lib/kernel/html'
import type { SeenVersion } from '#lib/kernel/version'
import { type Access, type ApiKeyAccess, publicAccess } from './access.ts'
import type { Idempotency, OnceOf } from './idempotency/idempotency.ts'
import type { Answers, Outcome } from './reply.ts'
import type { RequestFacts } from './request.ts'
import type { PathParameter, Route } from './route.ts'
import { serve } from './serve.ts'
import type { HttpHandler, Input, PageRefusal, Spec } from './spec.ts'

type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined

/** The input of `run`: parsed fields, the actor if access demands one, and the facts of the request. */
type RunContext<Acc, In extends Input, Honoured, Keys> = {
  params: { [Name in keyof In['params']]: Output<In['params'][Name]> }
  query: Output<In['query']>
  body: Output<In['body']>
  /** The parts of a multipart body, in the order sent. */
  files: MultipartPart[]
  request: RequestFacts
} & (Acc extends Access<infer Actor>
  ? { actor: Actor | (Keys extends ApiKeyAccess<infer Holder> ? Holder : never) }
  : unknown) &
  ('If-Match' extends Honoured ? { seenVersion: SeenVersion } : unknown)

/** The dependencies of `run`; with idempotency also `once`, which the use case finds among them. */
type Given<D extends Dependencies, I, A extends Answers> = Resolved<D> &
  ([I] extends [never]
    ? unknown
    : I extends Idempotency<infer Kind>
      ? { once: OnceOf<Kind, Outcome<A>> }
      : unknown)

/**
 * The facts of an endpoint and the one call into the domain. The type parameters are the types of `route`, `access`,
 * `input`, `output`, `deps`, `idempotency`, `honours` and `apiKeys`.
 */
type Declaration<
  R extends Route,
  Acc extends 'public' | Access,
  In extends Input,
  A extends Answers,
  D extends Dependencies,
  I,
  Honoured,
  Keys,
> = {
  /** The very string that `serverless.yml` holds. */
  route: R
  summary: string
  description?: string
  access: Acc
  /** The scope with which an API key may call it, too. */
  apiKeys?: Keys
  output: A
  /** Every refusal of its own; the document adds the refusals of access and input. */
  problems?: readonly ProblemCode[]
  /**
   * The conditional header that it honours: `run` receives the versions of `If-Match`, and `If-None-Match` may be
   * answered 304.
   */
  honours?: Honoured
  /** Lets caches keep answers to callers without a credential, who all get the same, for a while. */
  caching?: 'without credential'
  /** The path of the resource that a 201 made, without its id. The answer's `id` is appended for the header `Location`. */
  location?: string
  /**
   * The answer holds a token or a secret. It is not compressed, since a compressed length may reveal content (BREACH).
   */
  isSecret?: true
  deps: D
  idempotency?: I
  /** Makes the page of a refusal for a browser. Without it a page says the problem's title in English. */
  refusalPage?: (refusal: PageRefusal, deps: Resolved<D>) => HtmlPage
  run: (
    context: RunContext<Acc, In, Honoured, Keys>,
    deps: Given<D, I, NoInfer<A>>,
  ) => Promise<Outcome<NoInfer<A>>> | Outcome<NoInfer<A>>
} & ([PathParameter<R>] extends [never]
  ? { input?: In & { params?: never } }
  : { input: In & { params: ExactParams<In, PathParameter<R>> } })

type ExactParams<In, Names extends string> = Readonly<Record<Names, z.ZodType>> & {
  [Extra in Exclude<In extends { params: infer P } ? keyof P : never, Names>]: never
}

/**
 * Declares an endpoint. Does not compile with a path parameter that the route lacks, an `actor` on a public route, or
 * an undeclared status or body.
 */
export function endpoint<
  const R extends Route,
  const Acc extends 'public' | Access,
  const A extends Answers,
  D extends Dependencies,
  const In extends Input = Record<never, never>,
  I extends Idempotency = never,
  const Honoured extends 'If-Match' | 'If-None-Match' = never,
  Keys extends ApiKeyAccess = never,
>(
  declaration: Declaration<R, Acc, In, A, D, I, Honoured, Keys>,
): {
  spec: Spec<A>
  handler: HttpHandler
} {
  const { access } = declaration
  const spec: Spec<A> = {
    kind: 'endpoint',
    ...declaration,
    access: access === 'public' ? publicAccess : access,
  }
  return { spec, handler: serve(spec) }
}
