import type { Context } from 'aws-lambda'
import { type Dependencies, lazyDeps } from '#lib/config/config'
import { DomainError } from '#lib/kernel/domain-error'
import type { Caller } from './access.ts'
import { forCaches, seenVersionOf, unlessKnown } from './caching.ts'
import { keyOf } from './idempotency/record.ts'
import { type ParsedInput, readInput } from './input/read-input.ts'
import { answersPage, type EncodedAnswer, encode, toResult } from './reply.ts'
import { type HttpEvent, hasApiKey, header, prefers, requestFacts } from './request.ts'
import { splitRoute } from './route.ts'
import type { HttpHandler, PageRefusal, Spec } from './spec.ts'
import { noteCaller } from './stack/log-request.ts'
import { STACK_DEPS, serveHttp } from './stack/serve-http.ts'

/** Returns everything that an endpoint depends on, including what the stack around it needs. */
export const allDeps = ({ access, apiKeys, idempotency, deps }: Spec): Dependencies => ({
  ...STACK_DEPS,
  ...access.deps,
  ...apiKeys?.deps,
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
  const { route, refusalPage } = spec
  const { method } = splitRoute(route)
  const stack = {
    route,
    // The length of a compressed answer may reveal a secret in it.
    compresses: spec.isSecret !== true,
    isPage: answersPage(spec.output),
    ...(refusalPage && { refusalPage: (refusal: PageRefusal) => refusalPage(refusal, deps()) }),
  }
  return serveHttp(stack, overrides, async (event, context) => {
    // API Gateway routes by method; a function URL and some emulators do not. `$default` takes every method.
    if (route !== '$default' && event.requestContext.http.method !== method) {
      throw new DomainError('method_not_allowed', { allow: [method] })
    }
    const caller = await callerOf(spec, event, deps())
    noteCaller(context, caller.id)
    const key = keyOf(spec.idempotency, event)
    const input = await readInput(spec, event)
    const answer = await carryOut(spec, { event, context, caller, key, input, deps: deps() })
    const fresh = spec.honours === 'If-None-Match' ? unlessKnown(event, answer) : answer
    return toResult(spec.caching === 'without credential' ? forCaches(event, fresh) : fresh)
  })
}

/**
 * Checks the caller: by an API key if the request has one and the endpoint names a scope, else by a token. The check of
 * the account applies to both.
 */
async function callerOf(
  { access, apiKeys }: Spec,
  event: HttpEvent,
  deps: Record<string, unknown>,
): Promise<Caller<unknown>> {
  if (apiKeys === undefined || !hasApiKey(event)) return access.check(event, deps)
  const caller = await apiKeys.check(event, deps)
  access.admit?.(caller.actor)
  return caller
}

/** A request whose caller and input are checked. */
type Admitted = {
  event: HttpEvent
  context: Context
  caller: Caller<unknown>
  /** The `Idempotency-Key`, where the endpoint takes one and the caller sent it. */
  key: string | undefined
  input: ParsedInput
  deps: Record<string, unknown>
}

/** Runs an endpoint, within its idempotency where it has one, and encodes what it returns. */
async function carryOut(spec: Spec, admitted: Admitted): Promise<EncodedAnswer> {
  const { event, context, caller, key, input, deps } = admitted
  const given = {
    ...input,
    actor: caller.actor,
    request: requestFacts(event, context),
    ...(spec.honours === 'If-Match' && { seenVersion: seenVersionOf(event) }),
  }
  const answer = (outcome: unknown) =>
    withLocation(
      spec,
      encode(spec.output, outcome, { prefersPage: prefers('text/html', header(event, 'accept')) }),
    )
  const run = async (once: object) => answer(await spec.run(given, { ...deps, ...once }))
  if (!spec.idempotency) return run({})
  const { params, query, body } = input
  const exchange = {
    route: spec.route,
    // An endpoint with idempotency has no unknown callers.
    caller: caller.id ?? '',
    key,
    input: { params, query, body },
    encode: answer,
  }
  return spec.idempotency.around(exchange, deps, (once) => run({ once }))
}

/** Adds the path of the new resource to the answer. */
function withLocation({ location }: Spec, answer: EncodedAnswer): EncodedAnswer {
  if (location === undefined || answer.statusCode !== 201) return answer
  const { id }: { id: string } = JSON.parse(answer.body ?? '')
  return { ...answer, headers: { ...answer.headers, location: `${location}${id}` } }
}
