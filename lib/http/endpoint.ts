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
type RunContext<F extends Facts> = {
  params: { [Name in keyof InputOf<F, 'params'>]: Output<InputOf<F, 'params'>[Name]> }
  query: Output<InputOf<F, 'query'>>
  body: Output<InputOf<F, 'body'>>
  /** The parts of a multipart body, in the order sent. */
  files: MultipartPart[]
  request: RequestFacts
} & (F['access'] extends Access<infer Actor>
  ? { actor: Actor | (F extends { apiKeys: ApiKeyAccess<infer Holder> } ? Holder : never) }
  : unknown) &
  (F extends { honours: 'If-Match' } ? { seenVersion: SeenVersion } : unknown)

type InputOf<F extends Facts, Part extends keyof Input> = F extends {
  input: { [Name in Part]: infer Declared }
}
  ? Declared
  : Record<never, never>

/** The dependencies of `run`; with idempotency also `once`, which the use case finds among them. */
type Given<F extends Facts, A extends Answers> = Resolved<F['deps']> &
  (F extends { idempotency: Idempotency<infer Kind> } ? { once: OnceOf<Kind, Outcome<A>> } : unknown)

/** The facts of an endpoint. */
type Facts = {
  /** The very string that `serverless.yml` holds. */
  route: Route
  summary: string
  description?: string
  access: 'public' | Access
  /** The scope with which an API key may call it, too. */
  apiKeys?: ApiKeyAccess
  input?: Input
  output: Answers
  /** Every refusal of its own; the document adds the refusals of access and input. */
  problems?: readonly ProblemCode[]
  /**
   * The conditional header that it honours: `run` receives the versions of `If-Match`, and `If-None-Match` may be
   * answered 304.
   */
  honours?: 'If-Match' | 'If-None-Match'
  /** Lets caches keep answers to callers without a credential, who all get the same, for a while. */
  caching?: 'without credential'
  /** The path of the resource that a 201 made, without its id. The answer's `id` is appended for the header `Location`. */
  location?: string
  /**
   * The answer holds a token or a secret. It is not compressed, since a compressed length may reveal content (BREACH).
   */
  isSecret?: true
  deps: Dependencies
  idempotency?: Idempotency
}

/** The one call into the domain. */
type Run<F extends Facts, A extends Answers> = {
  /** Makes the page of a refusal for a browser. Without it a page says the problem's title in English. */
  refusalPage?: (refusal: PageRefusal, deps: Resolved<F['deps']>) => HtmlPage
  run: (context: RunContext<F>, deps: Given<F, A>) => Promise<Outcome<A>> | Outcome<A>
}

/** The parameters of the route, each with its schema and no others. */
type ExactInput<F extends Facts, Names extends string = PathParameter<F['route']>> = [Names] extends [never]
  ? { input?: { params?: never } }
  : {
      input: {
        params: Readonly<Record<Names, z.ZodType>> & {
          [Extra in Exclude<keyof InputOf<F, 'params'>, Names>]: never
        }
      }
    }

/** Refuses a name that is no fact of an endpoint. */
type NoOther<F> = Record<Exclude<keyof F, keyof Facts | 'run' | 'refusalPage'>, never>

/**
 * Declares an endpoint. Does not compile with a path parameter that the route lacks, an `actor` on a public route, or
 * an undeclared status or body. `F` are the types of its facts, `A` those of its answers.
 */
export function endpoint<const F extends Facts, const A extends Answers>(
  declaration: { [Fact in keyof F]: F[Fact] } & NoOther<F> &
    ExactInput<F> & { output: A } & Run<F, NoInfer<A>>,
): { spec: Spec<A>; handler: HttpHandler } {
  const { access } = declaration
  const spec: Spec<A> = {
    kind: 'endpoint',
    ...declaration,
    access: access === 'public' ? publicAccess : access,
  }
  return { spec, handler: serve(spec) }
}
