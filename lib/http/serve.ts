import type { Context } from 'aws-lambda'
import type { Dependencies } from '#lib/config'
import { type ParsedInput, readInput } from '#lib/http/input/read-input'
import { lazyDeps } from '#lib/http/stack/lazy-deps'
import { noteCaller } from '#lib/http/stack/log-request'
import { STACK_DEPS, serveHttp } from '#lib/http/stack/serve-http'
import { DomainError } from '#lib/kernel/domain-error'
import { forCaches } from './caching.ts'
import { isKnown, seenVersionOf } from './conditional.ts'
import { type EncodedAnswer, encode, toResult } from './reply.ts'
import { type HttpEvent, header, requestFacts } from './request.ts'
import { splitRoute } from './route.ts'
import type { HttpHandler, Spec } from './spec.ts'

/** Everything an endpoint depends on, what the builder itself needs included. */
export const allDeps = ({ access, idempotency, deps }: Spec): Dependencies => ({
  ...STACK_DEPS,
  ...access.deps,
  ...idempotency?.deps,
  ...deps,
})

/**
 * Serves an endpoint. The order of checks is the contract's: who calls, what they may, and only then what they sent.
 * `overrides` replaces dependencies by name; without it each is made from the environment at the first request. In
 * Lambda a missing variable stops the cold start with its name.
 */
export function serve(spec: Spec, overrides: Record<string, unknown> = {}): HttpHandler {
  const deps = lazyDeps(allDeps(spec), overrides)
  return serveHttp(spec.route, overrides, async (event, context) => {
    refuseOtherMethods(spec, event)
    const caller = await spec.access.check(event, deps() as never)
    noteCaller(context, caller.id)
    const input = await readInput(spec.input ?? {}, event)
    const answer = unlessKnown(
      spec,
      event,
      await carryOut(spec, { event, context, caller, input, deps: deps() }),
    )
    return toResult(spec.caching === 'public' ? forCaches(event, answer) : answer)
  })
}

/** API Gateway routes by method; a function URL and some emulators do not. */
function refuseOtherMethods({ route }: Spec, event: HttpEvent): void {
  const { method } = splitRoute(route)
  if (route !== '$default' && event.requestContext.http.method !== method) {
    throw new DomainError('method_not_allowed', { allow: [method] })
  }
}

/** A request that may be carried out: who calls, what they sent, and what carrying it out takes. */
type Admitted = {
  event: HttpEvent
  context: Context
  caller: { actor: unknown; id: string | null }
  input: ParsedInput
  deps: Record<string, unknown>
}

/** Runs the endpoint, within its idempotency where it has one, and encodes what it returns. */
async function carryOut(
  spec: Spec,
  { event, context, caller, input, deps }: Admitted,
): Promise<EncodedAnswer> {
  const given = {
    ...input,
    actor: caller.actor,
    request: requestFacts(event, context),
    ...(spec.honours === 'If-Match' && { seenVersion: seenVersionOf(event) }),
  }
  const run = async (once?: unknown): Promise<EncodedAnswer> =>
    encode(
      spec.output,
      await spec.run(given as never, { ...deps, ...(once !== undefined && { once }) } as never),
    )
  if (!spec.idempotency) return run()
  const { params, query, body } = input
  const exchange = {
    route: spec.route,
    caller: caller.id ?? '',
    key: header(event, 'idempotency-key'),
    input: { params, query, body },
    encode: (outcome: unknown) => encode(spec.output, outcome),
  }
  return spec.idempotency.around(exchange, deps as never, run)
}

/** 304 to a caller who has the answer's version already, where the endpoint honours `If-None-Match`. */
function unlessKnown({ honours }: Spec, event: HttpEvent, answer: EncodedAnswer): EncodedAnswer {
  const { 'content-type': _type, ...headers } = answer.headers
  const { etag } = headers
  const known = honours === 'If-None-Match' && etag !== undefined && isKnown(event, etag)
  return known ? { statusCode: 304, headers, body: null } : answer
}
