import type { Dependencies } from '#lib/config'
import { DomainError } from '#lib/kernel/domain-error'
import { type Caller, hasApiKey } from './access.ts'
import { forCaches } from './caching.ts'
import { carryOut } from './carry-out.ts'
import { unlessKnown } from './conditional.ts'
import { keyOf } from './idempotency/key.ts'
import { readInput } from './input/read-input.ts'
import { answersPage, toResult } from './reply.ts'
import type { HttpEvent } from './request.ts'
import { splitRoute } from './route.ts'
import type { HttpHandler, PageRefusal, Spec } from './spec.ts'
import { lazyDeps } from './stack/lazy-deps.ts'
import { noteCaller } from './stack/log-request.ts'
import { STACK_DEPS, serveHttp } from './stack/serve-http.ts'

/** Everything an endpoint depends on, what the builder itself needs included. */
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
  const { refusalPage } = spec
  const stack = {
    route: spec.route,
    compresses: spec.isSecret !== true,
    isPage: answersPage(spec.output),
    ...(refusalPage && { refusalPage: (refusal: PageRefusal) => refusalPage(refusal, deps() as never) }),
  }
  return serveHttp(stack, overrides, async (event, context) => {
    refuseOtherMethods(spec, event)
    const caller = await callerOf(spec, event, deps())
    noteCaller(context, caller.id)
    const key = keyOf(spec.idempotency, event)
    const input = await readInput(spec, event)
    const answer = await carryOut(spec, { event, context, caller, key, input, deps: deps() })
    return toResult(forCaches(spec, event, unlessKnown(spec, event, answer)))
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
  if (apiKeys === undefined || !hasApiKey(event)) return access.check(event, deps as never)
  const caller = await apiKeys.check(event, deps as never)
  access.admit?.(caller.actor as never)
  return caller
}

/** API Gateway routes by method; a function URL and some emulators do not. */
function refuseOtherMethods({ route }: Spec, event: HttpEvent): void {
  const { method } = splitRoute(route)
  if (route !== '$default' && event.requestContext.http.method !== method) {
    throw new DomainError('method_not_allowed', { allow: [method] })
  }
}
